import { dayMs } from '#lib/platform/clock.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';

/** From a moment up to another one, which is not in it. In milliseconds since the epoch. */
export type TimeRange = { readonly fromMs: number; readonly untilMs: number };

const endOfTimeMs = Date.UTC(9999, 11, 31);

/** The beginning of what a date or time means: a date is the whole day in UTC. */
export function startMsOf(value: string): number {
  return Math.max(0, Date.parse(value));
}

/** Where what a date or time means is over. */
export function endMsOf(value: string): number {
  return Math.max(0, Date.parse(value) + (isDate(value) ? dayMs : 1));
}

function isDate(value: string): boolean {
  return !value.includes('T');
}

/**
 * The range between two dates or times, both included; open where one is missing.
 *
 * @throws 400 where the first is after the second.
 */
export function rangeOf(from: string | undefined, to: string | undefined): TimeRange {
  const fromMs = from === undefined ? 0 : startMsOf(from);
  const untilMs = to === undefined ? endOfTimeMs : endMsOf(to);
  if (fromMs >= untilMs) {
    throw badRequest('from must not be after to');
  }

  return { fromMs, untilMs };
}

/** `2026-01-15` of a moment. */
export function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
