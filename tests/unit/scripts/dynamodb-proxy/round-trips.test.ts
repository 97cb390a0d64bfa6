import { expect, test } from 'vitest';
import { countRoundTrips } from '#scripts/dynamodb-proxy/round-trips.ts';

function spans(...pairs: readonly (readonly [number, number])[]) {
  return pairs.map(([startedAtMs, endedAtMs]) => ({ startedAtMs, endedAtMs }));
}

test.each([
  ['no call', spans(), 0],
  ['one call', spans([0, 5]), 1],
  ['concurrent calls', spans([0, 5], [1, 4], [2, 9]), 1],
  ['sequential calls', spans([0, 5], [5, 6], [7, 9]), 3],
  ['a long call during two short ones', spans([0, 10], [0, 3], [4, 9]), 2],
  ['calls in any order', spans([7, 9], [0, 5], [5, 6]), 3],
])('countRoundTrips handles %s', (_name, calls, roundTrips) => {
  expect(countRoundTrips(calls)).toBe(roundTrips);
});
