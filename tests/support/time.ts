import { hourMs, setClock } from '#lib/platform/clock.ts';

let stoppedAtMs = 0;

/**
 * Stops the clock at the next full hour, with which every window of a rate limit begins. Give the
 * system's clock back in `afterEach(() => setClock())`.
 */
export function stopClock(): void {
  stoppedAtMs = Math.ceil(Date.now() / hourMs) * hourMs;
  setClock(() => stoppedAtMs);
}

/** Moves the stopped clock. */
export function passTime(ms: number): void {
  stoppedAtMs += ms;
}

/** Has the clock move on with every reading: two of them that should be one are seen to differ. */
export function moveClockWhenRead(): void {
  let lastMs = Date.now();
  setClock(() => {
    lastMs += 1;

    return lastMs;
  });
}
