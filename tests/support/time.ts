import { hourMs, setClock } from '#lib/platform/clock.ts';

let stoppedAtMs = 0;

/**
 * Stops the clock at the next full hour, when every rate limit window starts, until the test ends.
 */
export function stopClock(): void {
  stoppedAtMs = Math.ceil(Date.now() / hourMs) * hourMs;
  setClock(() => stoppedAtMs);
}

/** Moves the stopped clock forward. */
export function passTime(ms: number): void {
  stoppedAtMs += ms;
}

/**
 * Moves the clock forward at every reading, so that code that reads it twice gets different times.
 */
export function moveClockWhenRead(): void {
  let lastMs = Date.now();
  setClock(() => {
    lastMs += 1;

    return lastMs;
  });
}
