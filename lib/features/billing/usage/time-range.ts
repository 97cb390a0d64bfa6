import { dayMs } from '#lib/platform/clock.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';

/** A half-open time range, in milliseconds since the epoch. */
export type TimeRange = { readonly fromMs: number; readonly untilMs: number };

const endOfTimeMs = Date.UTC(9999, 11, 31);

/** Returns the start of a date or time. A date means the whole UTC day. */
export function startMsOf(value: string): number {
  return Math.max(0, Date.parse(value));
}

/** Returns the exclusive end of a date or time. */
export function endMsOf(value: string): number {
  return Math.max(0, Date.parse(value) + (isDate(value) ? dayMs : 1));
}

function isDate(value: string): boolean {
  return !value.includes('T');
}

/**
 * Returns the range between two dates or times, both inclusive. A missing bound is open.
 *
 * @throws 400 if `from` is after `to`.
 */
export function rangeOf(from: string | undefined, to: string | undefined): TimeRange {
  const fromMs = from === undefined ? 0 : startMsOf(from);
  const untilMs = to === undefined ? endOfTimeMs : endMsOf(to);
  if (fromMs >= untilMs) {
    throw badRequest('from must not be after to');
  }

  return { fromMs, untilMs };
}

/** Formats a time as a UTC date, for example `2026-01-15`. */
export function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
