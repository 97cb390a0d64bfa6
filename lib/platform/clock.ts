import { setTimeout as wait } from 'node:timers/promises';

type Clock = () => number;

let clock: Clock = Date.now;

/** Milliseconds since the epoch. The only source of time. */
export function now(): number {
  return clock();
}

/**
 * The time, ISO 8601 in UTC, `offsetMs` from now. Times that belong together are told from one
 * moment: `fromMs`, which was read once.
 */
export function timestamp(offsetMs = 0, fromMs = now()): string {
  return new Date(fromMs + offsetMs).toISOString();
}

/** When the present minute, hour or day of UTC began, by its length: milliseconds since the epoch. */
export function presentBegan(lengthMs: number): number {
  const nowMs = now();

  return nowMs - (nowMs % lengthMs);
}

/** Whole seconds since the epoch, `offsetSeconds` from now: what the table's time to live takes. */
export function epochSeconds(offsetSeconds = 0): number {
  return Math.floor(now() / 1000) + offsetSeconds;
}

/**
 * Milliseconds with fractions from some moment on: only their differences mean something. What lasts
 * is measured with them, as the time itself may be set back while it does.
 */
export function ticksMs(): number {
  return performance.now();
}

/** Sets the clock. For tests; without an argument the system's clock is back. */
export function setClock(replacement: Clock = Date.now): void {
  clock = replacement;
}

export const secondMs = 1_000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

let pauseFor = (ms: number): Promise<unknown> => wait(ms);

/** Waits by the clock. */
export async function pause(ms: number): Promise<void> {
  await pauseFor(ms);
}

/** Sets how pauses are waited. For tests; without an argument they last as long as they say. */
export function setPause(replacement: typeof pauseFor = (ms) => wait(ms)): void {
  pauseFor = replacement;
}
