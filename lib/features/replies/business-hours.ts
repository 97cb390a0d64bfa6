import type { BusinessHours } from '#schemas/ai.ts';

/** The time of day in a zone, as `HH:MM`. Daylight saving is the zone's own matter. */
function timeOfDay(at: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });

  return format.format(at);
}

/**
 * Whether a moment is within the hours, by the clocks of their own zone. The end does not belong to
 * them; they go over midnight where it is not after the start, and are the whole day where both are
 * the same.
 */
export function isWithinHours({ start, end, timezone }: BusinessHours, at: number): boolean {
  const time = timeOfDay(at, timezone);
  if (start === end) {
    return true;
  }

  return start < end ? start <= time && time < end : time >= start || time < end;
}
