import type { NetworkWorld } from '../network-world.ts';
import { perWorld } from '../per-world.ts';
import type { Grant } from '../token-store.ts';

const dayMs = 86_400_000;

/** The lifetime of a long-lived token: 60 days. */
export const accessSeconds = 60 * 86_400;
/** The lifetime of a token that replaces a code. */
export const shortLivedSeconds = 3_600;

const shortLived = perWorld(() => new Set<string>());

/** True if the token is at least a day old. Its age follows from its remaining lifetime. */
export function isOldEnough({ expiresAt }: Grant, at: Date): boolean {
  return expiresAt !== null && expiresAt.getTime() - at.getTime() <= accessSeconds * 1_000 - dayMs;
}

/** Records that a token was issued for a code, so it is short-lived. */
export function noteShortLived(world: NetworkWorld, accessToken: string): void {
  shortLived(world).add(accessToken);
}

export function isShortLived(world: NetworkWorld, accessToken: string): boolean {
  return shortLived(world).has(accessToken);
}
