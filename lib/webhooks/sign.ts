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

/** The headers by which a receiver knows that an event is ours, whole, and not an old one again. */
export function signatureHeaders(
  secret: string,
  { id, timestampSeconds, body }: SignedMessage,
): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${id}.${timestampSeconds}.${body}`)
    .digest('base64');

  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${signature}`,
  };
}
