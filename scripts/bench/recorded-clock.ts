/**
 * Returns a clock that continues at the time of a recorded call. By today's clock, the recorded
 * session would not have been used for hours, and the call would also store that it is used.
 */
export function recordedClock(atMs: number): () => number {
  const { now } = Date;
  const behindMs = now() - atMs;

  return () => now() - behindMs;
}
