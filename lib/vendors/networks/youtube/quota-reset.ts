import { dayMs, hourMs, secondMs } from '#lib/platform/clock.ts';

let pacific: Intl.DateTimeFormat | undefined;

/** Made when a quota is at its end: the tables of time zones take more than 10 ms to load. */
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

/** How long it is from `nowMs` to the next midnight on the Pacific coast, where quotas begin anew. */
export function untilMidnightPacific(nowMs: number): number {
  const midnight = localMs(nowMs) - (localMs(nowMs) % dayMs) + dayMs;
  // The offset there at that midnight: a day on which the clocks are changed is not 24 hours long.
  const guess = nowMs + (midnight - localMs(nowMs));
  const drift = midnight - localMs(guess);

  return Math.max(secondMs, guess + drift - nowMs);
}

/** The wall clock there, as if it were UTC. Midnight never falls into a change: that is at 2. */
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
