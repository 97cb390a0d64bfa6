import type { Grant } from '../token-store.ts';

const dayMs = 86_400_000;

/** Long-lived tokens are valid for sixty days. */
export const accessSeconds = 60 * 86_400;

/**
 * Only tokens that are at least a day old can be extended. The age follows from the remaining
 * lifetime.
 */
export function isOldEnough({ expiresAt }: Grant, at: Date): boolean {
  return expiresAt !== null && expiresAt.getTime() - at.getTime() <= accessSeconds * 1_000 - dayMs;
}
