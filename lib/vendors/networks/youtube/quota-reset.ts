import { dayMs, hourMs, secondMs } from '#lib/platform/clock.ts';

let pacific: Intl.DateTimeFormat | undefined;

/** Created lazily: loading the time zone data takes more than 10 ms. */
function pacificFormat(): Intl.DateTimeFormat {
  pacific ??= new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Los_Angeles',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });

  return pacific;
}

/** Returns the milliseconds until midnight Pacific Time, when quotas reset. */
export function untilMidnightPacific(nowMs: number): number {
  const midnight = localMs(nowMs) - (localMs(nowMs) % dayMs) + dayMs;
  // Corrects days on which the clocks change, because they do not have 24 hours.
  const guess = nowMs + (midnight - localMs(nowMs));
  const drift = midnight - localMs(guess);

  return Math.max(secondMs, guess + drift - nowMs);
}

/** Returns Pacific local time as if it were UTC. Clocks change at 2 AM, never at midnight. */
function localMs(at: number): number {
  const parts = Object.fromEntries(
    pacificFormat()
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const date = Date.UTC(year, month - 1, day);

  return date + hour * hourMs + minute * 60 * secondMs + second * secondMs + (at % secondMs);
}
