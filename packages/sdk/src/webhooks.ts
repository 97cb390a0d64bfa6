import { Webhook } from 'standardwebhooks';
import type { WebhookEvent } from './operations.ts';

/**
 * Verifies a delivery and returns its event. `body` is the raw body, exactly as received.
 *
 * @throws if the signature is wrong, or if the delivery is older than five minutes.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
): Promise<WebhookEvent> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const given = Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]),
  );
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);

  return new Webhook(secret).verify(text, given) as WebhookEvent;
}
