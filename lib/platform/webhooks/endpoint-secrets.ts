import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { contextOf, decrypt, encrypt } from '#lib/platform/crypto/encryption.ts';
import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { newId } from '#lib/platform/ids.ts';
import type { WebhookEndpoint, WebhookTarget } from './endpoints.ts';
import { newWebhookSecret } from './sign.ts';

type Source = Pick<WebhookEndpoint, 'organizationId' | 'sourceId'>;

/**
 * Both secrets are encrypted for this field, because the current one later becomes the former one.
 */
export const secretField = 'secret';

/** Gives receivers time to switch to a new secret. */
const overlapMs = dayMs;

/**
 * Creates an endpoint with its own secret, which is returned once and stored encrypted. The secret
 * of a replaced endpoint stays valid for a day. The caller must have checked the URL with
 * `publicUrlProblems`.
 */
export async function newWebhookEndpoint(
  organizationId: string,
  sourceId: string,
  url: string | undefined,
  former?: WebhookEndpoint,
): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string | undefined }> {
  const endpoint = {
    id: newId(),
    organizationId,
    sourceId,
    isActive: true,
    createdAt: timestamp(),
  };
  if (url === undefined) {
    return { endpoint, secret: undefined };
  }
  const secret = newWebhookSecret();
  const sealed = await encrypt(
    secret,
    contextOf(webhookKeys.webhookEndpoint(organizationId, sourceId), secretField),
  );

  const overlap = former?.secret
    ? { formerSecret: former.secret, formerSecretUntil: timestamp(overlapMs) }
    : {};

  return { endpoint: { ...endpoint, url, secret: sealed, ...overlap }, secret };
}

/**
 * Decrypts the signing secrets: the current one and, during the overlap, the former one. `source`
 * must be the key that the endpoint or delivery was read by, not a value from its content.
 */
export function openWebhookSecrets(
  { organizationId, sourceId }: Source,
  { secret, formerSecret, formerSecretUntil = '' }: WebhookTarget,
): Promise<readonly string[]> {
  const sealed =
    formerSecret && timestamp() < formerSecretUntil ? [secret, formerSecret] : [secret];

  const context = contextOf(webhookKeys.webhookEndpoint(organizationId, sourceId), secretField);

  return Promise.all(sealed.map((one) => decrypt(one, context)));
}
