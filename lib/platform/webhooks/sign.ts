import { createHmac, randomBytes } from 'node:crypto';

const secretPrefix = 'whsec_';
const secretBytes = 32;

/** A receiver's secret, after Standard Webhooks. */
export function newWebhookSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`;
}

export type SignedMessage = {
  /** The same on every try. */
  readonly id: string;
  /** Of the try, not of the event. */
  readonly timestampSeconds: number;
  readonly body: string;
};

/**
 * The headers by which a receiver knows that an event is ours, whole, and not an old one again. With
 * several secrets there are as many signatures: one that is right is enough.
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
