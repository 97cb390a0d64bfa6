/**
 * Returns how many cases a generated test runs: `cases` times TEST_DEPTH. For a deep run:
 * `TEST_DEPTH=20 npm test`.
 */
export function depth(cases: number): number {
  return Math.ceil(cases * Number(process.env.TEST_DEPTH ?? 1));
}

/** Returns how many concurrent attempts to make: `cases` times TEST_DEPTH, at most 100. */
export function atOnce(cases: number): number {
  return Math.min(depth(cases), 100);
}
