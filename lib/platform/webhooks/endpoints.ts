import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { decrypt, type EncryptionContext, encrypt } from '#lib/platform/crypto/encryption.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { newId } from '#lib/platform/ids.ts';
import { newWebhookSecret } from './sign.ts';

/** Where the events of a source (a social account, a campaign) are sent to. A source has one. */
export type WebhookEndpoint = {
  readonly id: string;
  readonly organizationId: string;
  readonly sourceId: string;
  /** Absent: nothing is sent. */
  readonly url?: string;
  /** A ciphertext. Stands beside the URL. */
  readonly secret?: string;
  /** The secret before, a ciphertext too: what is sent until then is signed by both. */
  readonly formerSecret?: string;
  readonly formerSecretUntil?: string;
  /** False once the receiver has said that it is gone (410). */
  readonly isActive: boolean;
  readonly createdAt: string;
};

/** What a delivery needs of its endpoint. */
export type WebhookTarget = Required<Pick<WebhookEndpoint, 'url' | 'secret'>> &
  Pick<WebhookEndpoint, 'formerSecret' | 'formerSecretUntil'>;

type Source = Pick<WebhookEndpoint, 'organizationId' | 'sourceId'>;

/** What the secret is sealed for: it opens in no other place. */
export function secretContext({ organizationId, sourceId }: Source): EncryptionContext {
  return [organizationId, sourceId, 'webhookSecret'];
}

/** So long a receiver may take to learn of its new secret. */
const overlapMs = dayMs;

/**
 * A new endpoint of a source, with a secret of its own, which is told once and stored encrypted. The
 * secret of the one that it replaces stays good for a day beside it. The URL, where there is one, has
 * been checked by `checkPublicUrl`.
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
  const sealed = await encrypt(secret, secretContext(endpoint));

  const overlap = former?.secret
    ? { formerSecret: former.secret, formerSecretUntil: timestamp(overlapMs) }
    : {};

  return { endpoint: { ...endpoint, url, secret: sealed, ...overlap }, secret };
}

/** What is sent to a target now is signed with: the secret, and the one before while both are good. */
export function openWebhookSecrets(
  source: Source,
  { secret, formerSecret, formerSecretUntil = '' }: WebhookTarget,
): Promise<readonly string[]> {
  const sealed =
    formerSecret && timestamp() < formerSecretUntil ? [secret, formerSecret] : [secret];

  return Promise.all(sealed.map((one) => decrypt(one, secretContext(source))));
}

/** What events of the endpoint are sent to; `undefined` where nothing is sent. */
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
  return get<Endpoint>(keys.webhookEndpoint(organizationId, sourceId));
}
