import { expect, test } from 'vitest';
import { conversionRate } from '#lib/features/ai/figures.ts';

test.each([
  [{}, 0],
  [{ conversations: 3 }, 0],
  [{ conversations: 3, conversions: 1 }, 33.33],
  // Two campaigns in one conversation make two leads.
  [{ conversations: 1, conversions: 2 }, 100],
  // Who takes over a conversation that another one began.
  [{ conversions: 1 }, 0],
])('the rate of %j is %d percent', (figures, rate) => {
  expect(conversionRate(figures)).toBe(rate);
});
