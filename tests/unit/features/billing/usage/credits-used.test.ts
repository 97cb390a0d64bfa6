import { expect, test } from 'vitest';
import { changeOf } from '#lib/features/billing/usage/credits-used.ts';

test.each([
  [800, 900, '+12.5%'],
  [1_000, 970, '-3.0%'],
  [0, 0, '0.0%'],
  [5, 5, '0.0%'],
  [0, 7, '+100.0%'],
  [7, 0, '-100.0%'],
  [10_000, 10_001, '0.0%'],
  [10_001, 10_000, '0.0%'],
  [1, 11, '+1000.0%'],
])('changeOf(%i, %i) returns %s', (before, after, change) => {
  expect(changeOf(before, after)).toBe(change);
});
