import { randomInt } from 'node:crypto';
import { dayMs, secondMs } from '#lib/platform/clock.ts';
import type { NetworkError } from '#lib/vendors/networks/network-error.ts';

/** The maximum number of attempts that fail without publishing anything. */
export const maxTries = 5;

const firstDelayMs = 8 * secondMs;
const factor = 5;

/**
 * Returns the delay after a number of failed attempts. It starts below 10 s, grows by a factor of
 * five, has up to 25% jitter, and honors the network's `retryAfterMs`. Together, the delays are
 * longer than a 15-minute outage.
 */
export function retryDelayMs(tries: number, failure?: NetworkError): number {
  const longest = firstDelayMs * factor ** (tries - 1);
  const delay = longest - randomInt(Math.ceil(longest / 4));

  return Math.min(dayMs, Math.max(delay, failure?.retryAfterMs ?? 0));
}
