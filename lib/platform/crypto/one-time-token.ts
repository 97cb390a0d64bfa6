import { createHash, randomBytes } from 'node:crypto';

/** Returns a random 256-bit token for a link in an email. Only its hash is stored. */
export function newOneTimeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the hash under which a token is stored and found. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
