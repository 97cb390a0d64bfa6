import { randomInt } from 'node:crypto';
import { dayMs, secondMs } from '#lib/platform/clock.ts';
import type { NetworkFailure } from '#lib/vendors/networks/network-failure.ts';

/** So often a publication is tried that fails in a way that proves that nothing was published. */
export const maxTries = 5;

const firstDelayMs = 8 * secondMs;
const factor = 5;

/**
 * How long to wait after the given number of failed tries: within 10 s the first time, then five
 * times as long each time, less up to a quarter, or as long as the network asks for. All delays
 * together outlast an outage of a quarter of an hour.
 */
export function retryDelayMs(tries: number, failure?: NetworkFailure): number {
  const longest = firstDelayMs * factor ** (tries - 1);
  const delay = longest - randomInt(Math.ceil(longest / 4));

  return Math.min(dayMs, Math.max(delay, failure?.retryAfterMs ?? 0));
}
