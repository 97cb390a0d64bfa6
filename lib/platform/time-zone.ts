import { dayMs } from './clock.ts';

/** The time zone of stored times, and the default for organizations. */
export const utc = 'UTC';

/** Creating a format takes much longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) {
    return known;
  }
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, format);

  return format;
}

/** Returns the local date and time as if it were UTC, in epoch milliseconds. */
function localMs(atMs: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatFor(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;

  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Returns the time of day in a zone as HH:MM, 24 hours. */
export function timeOfDay(atMs: number, timeZone: string): string {
  return new Date(localMs(atMs, timeZone)).toISOString().slice(11, 16);
}

/** Returns the day in a zone as YYYY-MM-DD. */
export function dayIn(atMs: number, timeZone: string): string {
  return new Date(localMs(atMs, timeZone)).toISOString().slice(0, 10);
}

/** Returns the hour (0 to 23) and the weekday (0 is Sunday) in a zone. */
export function hourAndWeekday(
  atMs: number,
  timeZone: string,
): { readonly hour: number; readonly weekday: number } {
  const local = new Date(localMs(atMs, timeZone));

  return { hour: local.getUTCHours(), weekday: local.getUTCDay() };
}

/**
 * Returns when a local time occurs in a zone, in epoch milliseconds. If clocks skip it, it moves
 * later by the length of the gap: 02:30 becomes 03:30. If it occurs twice, the first one counts.
 *
 * @param local ISO 8601 without an offset, such as `2026-03-29T02:30`.
 */
export function instantOf(local: string, timeZone: string): number {
  const wanted = Date.parse(`${local}Z`);
  const offsets = [-1, 1].map((days) => {
    const around = wanted + days * dayMs;

    return localMs(around, timeZone) - around;
  });
  const candidates = offsets.map((offset) => wanted - offset);
  const exact = candidates.filter((atMs) => localMs(atMs, timeZone) === wanted);

  return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates);
}

/**
 * Returns when a day (YYYY-MM-DD) begins in a zone, in epoch milliseconds. If clocks skip midnight,
 * the day begins at the first moment that exists.
 */
export function startOfDay(day: string, timeZone: string): number {
  return instantOf(`${day}T00:00`, timeZone);
}

/** Returns the day after a day (YYYY-MM-DD). */
export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + dayMs).toISOString().slice(0, 10);
}

/** Returns the last millisecond of a day (YYYY-MM-DD) in a zone. */
export function endOfDay(day: string, timeZone: string): number {
  return startOfDay(dayAfter(day), timeZone) - 1;
}
