import { createHash, randomBytes } from 'node:crypto';

/** A token for a link in a mail: 256 random bits as `A-Za-z0-9_-`. Only its hash is stored. */
export function newOneTimeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What of a token is stored, and looked up. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
