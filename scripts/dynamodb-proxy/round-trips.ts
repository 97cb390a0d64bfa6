/** When a call began and ended. */
export type Span = { readonly startedAtMs: number; readonly endedAtMs: number };

/**
 * The length of the longest chain of calls of which each began after the one before had ended:
 * how many times the caller waited for the database. Calls made at once count once.
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
