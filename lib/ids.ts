import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { now } from './clock.ts';

/** Leaves half of the 32 bits to count on within a millisecond. */
const maxFirstInSequence = 2 ** 31;

let lastMs = 0;
let sequence = 0;

/**
 * A new id: UUID version 7 (RFC 9562), lower case. Ids made by one instance sort in the order in
 * which they were made, also within one millisecond.
 */
export function newId(): string {
  const ms = Math.max(now(), lastMs);
  sequence = ms === lastMs ? sequence + 1 : randomInt(maxFirstInSequence);
  lastMs = ms;

  return v7({ msecs: ms, seq: sequence });
}
