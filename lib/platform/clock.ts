import { setTimeout as wait } from 'node:timers/promises';

type Clock = () => number;

let clock: Clock = Date.now;

/** Returns milliseconds since the epoch. All code gets the time from here. */
export function now(): number {
  return clock();
}

/**
 * Returns a UTC time in ISO 8601, `offsetMs` after `fromMs`. Pass the same `fromMs` for related
 * times.
 */
export function timestamp(offsetMs = 0, fromMs = now()): string {
  return new Date(fromMs + offsetMs).toISOString();
}

/**
 * Returns the start of the current UTC minute, hour or day, depending on the length, in epoch
 * milliseconds.
 */
export function presentBegan(lengthMs: number): number {
  const nowMs = now();

  return nowMs - (nowMs % lengthMs);
}

/** Returns epoch seconds, `offsetSeconds` from now, in the format of DynamoDB's TTL. */
export function epochSeconds(offsetSeconds = 0): number {
  return Math.floor(now() / 1000) + offsetSeconds;
}

/**
 * Returns monotonic milliseconds. Use it to measure durations, because the system time may jump.
 */
export function ticksMs(): number {
  return performance.now();
}

/** Replaces the clock for tests. Without an argument, restores the system clock. */
export function setClock(replacement: Clock = Date.now): void {
  clock = replacement;
}

export const secondMs = 1_000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

let pauseFor = (ms: number): Promise<unknown> => wait(ms);

/** Waits. Tests can replace this function with `setPause`. */
export async function pause(ms: number): Promise<void> {
  await pauseFor(ms);
}

/** Replaces `pause` for tests. Without an argument, restores real waiting. */
export function setPause(replacement: typeof pauseFor = (ms) => wait(ms)): void {
  pauseFor = replacement;
}
