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

describe('a call that is measured', () => {
  test.each([
    ['costs what is known', [2], 2, 1],
    ['costs less', [1], 1, 1],
    ['seems to cost more once', [3, 2], 2, 2],
    ['fails once', [new Error('busy'), 2], 2, 2],
    ['costs more each time', [3, 3, 4], 4, 3],
  ] as const)('that %s', async (_, outcomes, trips, expectedTries) => {
    const { record, count } = tries(...outcomes);

    const { meter } = await recordAsCheapAsKnown(known, record);

    expect({ trips: meter.roundTrips, tries: count() }).toEqual({ trips, tries: expectedTries });
  });

  test('of which nothing is known is made once', async () => {
    const { record, count } = tries(9);

    await recordAsCheapAsKnown(undefined, record);

    expect(count()).toBe(1);
  });

  test('that fails each time tells of it', async () => {
    const { record } = tries(new Error('one'), new Error('two'), new Error('three'));

    await expect(recordAsCheapAsKnown(known, record)).rejects.toThrow('three');
  });
});
