import { describe, expect, test } from 'vitest';
import { recordAsCheapAsKnown } from '#scripts/bench/calls/record-as-cheap-as-known.ts';

function tries(...outcomes: ReadonlyArray<number | Error>) {
  let count = 0;
  const record = async () => {
    const outcome = outcomes[count];
    count += 1;
    if (typeof outcome !== 'number') {
      throw outcome;
    }

    return { meter: { roundTrips: outcome, readUnits: 1, writeUnits: 0, calls: [] } };
  };

  return { record, count: () => count };
}

const known = { trips: 2, readUnits: 1, writeUnits: 0 };

describe('recordAsCheapAsKnown', () => {
  test.each([
    ['has the known cost', [2], 2, 1],
    ['has a lower cost', [1], 1, 1],
    ['has a higher cost once', [3, 2], 2, 2],
    ['fails once', [new Error('busy'), 2], 2, 2],
    ['has a higher cost each time', [3, 3, 4], 4, 3],
  ] as const)('records a call that %s', async (_, outcomes, trips, expectedTries) => {
    const { record, count } = tries(...outcomes);

    const { meter } = await recordAsCheapAsKnown(known, record);

    expect({ trips: meter.roundTrips, tries: count() }).toEqual({ trips, tries: expectedTries });
  });

  test('records a call without known cost once', async () => {
    const { record, count } = tries(9);

    await recordAsCheapAsKnown(undefined, record);

    expect(count()).toBe(1);
  });

  test('throws the last error when every try fails', async () => {
    const { record } = tries(new Error('one'), new Error('two'), new Error('three'));

    await expect(recordAsCheapAsKnown(known, record)).rejects.toThrow('three');
  });
});
