/**
 * How many cases a generated test tries: `cases`, times TEST_DEPTH. A deeper run than every change
 * needs: `TEST_DEPTH=20 npm test`.
 */
export function depth(cases: number): number {
  return Math.ceil(cases * Number(process.env.TEST_DEPTH ?? 1));
}

/** How many try the same at once: `cases` times TEST_DEPTH, a hundred at the most. */
export function atOnce(cases: number): number {
  return Math.min(depth(cases), 100);
}
