import { createHmac, randomBytes } from 'node:crypto';

const secretPrefix = 'whsec_';
const secretBytes = 32;

/** Creates a signing secret in the format of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`;
}

export type SignedMessage = {
  /** The same for every attempt. */
  readonly id: string;
  /** The time of the attempt, not of the event. */
  readonly timestampSeconds: number;
  readonly body: string;
};

/**
 * Returns signature headers with which the receiver can verify origin, integrity and freshness.
 * There is one signature per secret, and one valid signature is enough.
 */
export function signatureHeaders(
  secrets: readonly string[],
  message: SignedMessage,
): Readonly<Record<string, string>> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': secrets.map((secret) => `v1,${signatureOf(secret, message)}`).join(' '),
  };
}

function signatureOf(secret: string, { id, timestampSeconds, body }: SignedMessage): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');

  return createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64');
}
