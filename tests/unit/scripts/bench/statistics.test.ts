import { describe, expect, it } from 'vitest';
import { probabilityOfMore } from '#scripts/bench/statistics.ts';

describe('probabilityOfMore', () => {
  it.each([
    ['0.5 for equal values', [1, 2, 3], [3, 1, 2], 0.5],
    ['1 when all values are higher', [4, 5], [1, 2, 3], 1],
    ['0 when all values are lower', [1, 2], [3, 4], 0],
    ['the share of higher pairs for overlapping values', [1, 3], [2, 3], 0.375],
  ])('returns %s', (_, values, others, expected) => {
    expect(probabilityOfMore(values, others)).toBe(expected);
  });
});
