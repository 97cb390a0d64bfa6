import { randomBytes } from 'node:crypto';

/** Somewhere between nothing and the ceiling, so that callers who met do not meet again. */
export function fullJitterMs(ceilingMs: number): number {
  return (randomBytes(2).readUInt16BE() / 0xffff) * ceilingMs;
}
