import { createHash, randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { now } from './clock.ts';

/** Leaves half of the 32-bit range for ids within the same millisecond. */
const maxFirstInSequence = 2 ** 31;

let lastMs = 0;
let sequence = 0;

/**
 * Returns a new lowercase UUID version 7 (RFC 9562). Ids of one instance sort in order of creation,
 * even within a millisecond.
 */
export function newId(): string {
  const ms = Math.max(now(), lastMs);
  sequence = ms === lastMs ? sequence + 1 : randomInt(maxFirstInSequence);
  lastMs = ms;

  return v7({ msecs: ms, seq: sequence });
}

/** Resets the sequence, for tests that move the clock. */
export function forgetLastId(): void {
  lastMs = 0;
}

let pastSequence = randomInt(maxFirstInSequence);

/**
 * Returns a new id that sorts at the given time. Ids of one instance for the same millisecond sort
 * in order of creation.
 */
export function idAt(ms: number): string {
  pastSequence = (pastSequence + 1) % 2 ** 32;

  return v7({ msecs: ms, seq: pastSequence });
}

/** Returns a deterministic id for an external event with this name and time. */
export function idOfEvent(eventName: string, happenedAtMs: number): string {
  const random = createHash('sha256').update(eventName).digest().subarray(0, 16);

  return v7({ msecs: happenedAtMs, random });
}

/** Returns the creation time of an id, in epoch milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Returns the lowest possible id at that time. */
export function firstIdAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');

  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
