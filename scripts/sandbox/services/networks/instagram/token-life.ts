import type { Grant } from '../token-store.ts';

const dayMs = 86_400_000;

/** The lifetime of a long-lived token: 60 days. */
export const accessSeconds = 60 * 86_400;

/** True if the token is at least a day old. Its age follows from its remaining lifetime. */
export function isOldEnough({ expiresAt }: Grant, at: Date): boolean {
  return expiresAt !== null && expiresAt.getTime() - at.getTime() <= accessSeconds * 1_000 - dayMs;
}
