import { describe, expect, it } from 'vitest';
import { probabilityOfMore } from '#scripts/bench/statistics.ts';

describe('the probability that one of some values is more than one of others', () => {
  it.each([
    ['a half where they are the same', [1, 2, 3], [3, 1, 2], 0.5],
    ['one where all are more', [4, 5], [1, 2, 3], 1],
    ['none where all are less', [1, 2], [3, 4], 0],
    ['what the pairs say where they overlap', [1, 3], [2, 3], 0.375],
  ])('is %s', (_, values, others, expected) => {
    expect(probabilityOfMore(values, others)).toBe(expected);
  });
});
