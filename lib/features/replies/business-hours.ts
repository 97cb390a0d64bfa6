import type { BusinessHours } from '#schemas/ai.ts';

/** Returns the time of day in a time zone as `HH:MM`, including daylight saving time. */
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
 * True if the moment is within the hours, in their own time zone. The end is exclusive. Hours whose
 * end is not after their start span midnight. Equal start and end mean the whole day.
 */
export function isWithinHours({ start, end, timezone }: BusinessHours, at: number): boolean {
  const time = timeOfDay(at, timezone);
  if (start === end) {
    return true;
  }

  return start < end ? start <= time && time < end : time >= start || time < end;
}
