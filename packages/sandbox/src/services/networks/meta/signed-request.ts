import { createHmac } from 'node:crypto';
import type { NetworkWorld } from '../network-world.ts';

/**
 * Signs a request about a person as Meta does: the signature and the payload in base64url, separated
 * by a dot. https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback
 */
export function signRequest({ app }: NetworkWorld, personId: string, issuedAt: Date): string {
  const seconds = Math.floor(issuedAt.getTime() / 1_000);
  const payload = Buffer.from(
    JSON.stringify({ algorithm: 'HMAC-SHA256', expires: 0, issued_at: seconds, user_id: personId }),
  ).toString('base64url');
  const signature = createHmac('sha256', app.clientSecret).update(payload).digest('base64url');

  return `${signature}.${payload}`;
}
