import { createHash, randomInt } from 'node:crypto';
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

/** Lets ids be of the present again. For tests that have set the clock ahead. */
export function forgetLastId(): void {
  lastMs = 0;
}

let pastSequence = randomInt(maxFirstInSequence);

/**
 * A new id of something that happened at another time, among whose like it sorts by that. Ids of one
 * moment that are made by one instance sort in the order in which they were made.
 */
export function idAt(ms: number): string {
  pastSequence = (pastSequence + 1) % 2 ** 32;

  return v7({ msecs: ms, seq: pastSequence });
}

/** The id of what happened elsewhere at that time under that name: the same whenever it is asked for. */
export function idOfEvent(eventName: string, happenedAtMs: number): string {
  const random = createHash('sha256').update(eventName).digest().subarray(0, 16);

  return v7({ msecs: happenedAtMs, random });
}

/** When an id was made, in milliseconds since the epoch. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The lowest id that can have been made at that time. */
export function firstIdAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');

  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
