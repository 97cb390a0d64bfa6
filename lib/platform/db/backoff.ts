import { fullJitterMs } from './jitter.ts';

/**
 * Returns the delay after a number of failed tries: exponential with full jitter, at most 400 ms.
 * The seven delays of eight tries take at most 1.8 s in total.
 */
export function backoffMs(tries: number): number {
  return fullJitterMs(Math.min(400, 20 * 2 ** tries));
}
