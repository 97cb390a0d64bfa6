import { timestamp } from '#lib/platform/clock.ts';

/**
 * The time until which the organization may have live connections. Its events are kept until then.
 */
export type LiveState = { readonly liveUntil?: string };

export function isLive(state: LiveState | undefined): boolean {
  return timestamp() < (state?.liveUntil ?? '');
}
