import { dayMs } from '#lib/platform/clock.ts';

/** A half-open time range, in milliseconds since the epoch. */
export type TimeRange = { readonly fromMs: number; readonly untilMs: number };

const endOfTimeMs = Date.UTC(9999, 11, 31);

/** Returns the start of a date or time. A date means the whole UTC day. */
function startMsOf(value: string): number {
  return Math.max(0, Date.parse(value));
}

/** Returns the exclusive end of a date or time. */
function endMsOf(value: string): number {
  return Math.max(0, Date.parse(value) + (isDate(value) ? dayMs : 1));
}

function isDate(value: string): boolean {
  return !value.includes('T');
}

/** Returns the range between two dates or times, both inclusive. A missing bound is open. */
export function rangeOf(from: string | undefined, to: string | undefined): TimeRange {
  return {
    fromMs: from === undefined ? 0 : startMsOf(from),
    untilMs: to === undefined ? endOfTimeMs : endMsOf(to),
  };
}

/** Returns a problem if a range ends before it begins. `names` are the names of its fields. */
export function rangeProblems(
  from: string | undefined,
  to: string | undefined,
  names: readonly [from: string, to: string] = ['from', 'to'],
): readonly string[] {
  const { fromMs, untilMs } = rangeOf(from, to);

  return fromMs < untilMs ? [] : [`${names[0]} must not be after ${names[1]}`];
}

/** Formats a time as a UTC date, for example `2026-01-15`. */
export function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
