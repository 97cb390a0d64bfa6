import { randomBytes } from 'node:crypto';

/** Full jitter: a random delay up to the ceiling, so that colliding callers spread out. */
export function fullJitterMs(ceilingMs: number): number {
  return (randomBytes(2).readUInt16BE() / 0xffff) * ceilingMs;
}

/**
 * Returns the delay after a number of failed tries: exponential with full jitter, at most 400 ms.
 * The seven delays of eight tries take at most 1.8 s in total.
 */
export function backoffMs(tries: number): number {
  return fullJitterMs(Math.min(400, 20 * 2 ** tries));
}
