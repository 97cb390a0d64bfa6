import type { Grant } from '../token-store.ts';

const dayMs = 86_400_000;

/** A long-lived token has sixty days. */
export const accessSeconds = 60 * 86_400;

/** A token is extended only when it is a day old; its age shows in what is left of its life. */
export function isOldEnough({ expiresAt }: Grant, at: Date): boolean {
  return expiresAt !== null && expiresAt.getTime() - at.getTime() <= accessSeconds * 1_000 - dayMs;
}
