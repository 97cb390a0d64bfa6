/** When a call started and ended. */
export type Span = { readonly startedAtMs: number; readonly endedAtMs: number };

/**
 * Returns the length of the longest chain of calls that each started after the previous one ended.
 * This is how many times the caller waited for the database. Concurrent calls count once.
 */
export function countRoundTrips(spans: readonly Span[]): number {
  const byEnd = spans.toSorted((a, b) => a.endedAtMs - b.endedAtMs);
  let count = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  for (const span of byEnd) {
    if (span.startedAtMs >= lastEnd) {
      count += 1;
      lastEnd = span.endedAtMs;
    }
  }

  return count;
}
