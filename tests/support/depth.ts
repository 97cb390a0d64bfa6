const { TEST_DEPTH } = process.env;
if (TEST_DEPTH !== undefined && TEST_DEPTH !== 'all') {
  throw new Error(`TEST_DEPTH is ${TEST_DEPTH}. Leave it out, or set it to "all".`);
}

/** True in `npm run test:all`, which runs all cases instead of a sample. */
export const runsAll = TEST_DEPTH === 'all';

/** Returns how many cases a generated test runs: `cases` by default, and `all` in a full run. */
export function depth(cases: number, all = 10 * cases): number {
  return runsAll ? all : cases;
}

/** Returns how many concurrent attempts to make: `cases` by default, and 100 in a full run. */
export function atOnce(cases: number): number {
  return depth(cases, 100);
}
