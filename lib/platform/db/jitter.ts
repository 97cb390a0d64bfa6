import { randomBytes } from 'node:crypto';

/** Full jitter: a random delay up to the ceiling, so that colliding callers spread out. */
export function fullJitterMs(ceilingMs: number): number {
  return (randomBytes(2).readUInt16BE() / 0xffff) * ceilingMs;
}
