import { v7 } from 'uuid';
import { now } from './clock.ts';

let lastMs = 0;
let sequence = 0;

/**
 * A new id: UUID version 7 (RFC 9562), lower case. Ids made by one instance sort in the order in
 * which they were made, also within one millisecond.
 */
export function newId(): string {
  const ms = Math.max(now(), lastMs);
  sequence = ms === lastMs ? sequence + 1 : 0;
  lastMs = ms;

  return v7({ msecs: ms, seq: sequence });
}
