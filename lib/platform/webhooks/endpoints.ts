import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { contextOf, decrypt, encrypt } from '#lib/platform/crypto/encryption.ts';
import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { get } from '#lib/platform/db/read.ts';
import { newId } from '#lib/platform/ids.ts';
import { newWebhookSecret } from './sign.ts';

/**
 * The webhook endpoint of a source: a social account, a campaign or a webhook of the organization. A
 * source has at most one.
 */
export type WebhookEndpoint = {
  readonly id: string;
  readonly organizationId: string;
  readonly sourceId: string;
  /** Absent if nothing is sent. */
  readonly url?: string;
  /** Encrypted. Present whenever `url` is. */
  readonly secret?: string;
  /** The previous secret, encrypted. Until `formerSecretUntil`, both secrets sign. */
  readonly formerSecret?: string;
  readonly formerSecretUntil?: string;
  /** The first failed attempt since the last success, for webhooks of an organization. */
  readonly failingSince?: string;
  /** False after the receiver returned 410 Gone, and while a webhook is switched off. */
  readonly isActive: boolean;
  readonly createdAt: string;
};

export type WebhookTarget = Required<Pick<WebhookEndpoint, 'url' | 'secret'>> &
  Pick<WebhookEndpoint, 'formerSecret' | 'formerSecretUntil'>;

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

/** Returns the delivery target of an endpoint; `undefined` if nothing is sent. */
export function targetOf(endpoint: WebhookEndpoint | undefined): WebhookTarget | undefined {
  const { isActive, url, secret, formerSecret, formerSecretUntil } = endpoint ?? {};

  return isActive && url && secret
    ? {
        url,
        secret,
        ...(formerSecret && formerSecretUntil ? { formerSecret, formerSecretUntil } : {}),
      }
    : undefined;
}

export function findWebhookEndpoint<Endpoint extends WebhookEndpoint>(
  organizationId: string,
  sourceId: string,
): Promise<Endpoint | undefined> {
  return get<Endpoint>(webhookKeys.webhookEndpoint(organizationId, sourceId));
}
