import { expect, test } from 'vitest';
import { conversionRate } from '#lib/features/ai/answer-counts.ts';

test.each([
  [{}, 0],
  [{ conversations: 3 }, 0],
  [{ conversations: 3, conversions: 1 }, 33.33],
  // Two campaigns in one conversation create two leads.
  [{ conversations: 1, conversions: 2 }, 100],
  // An agent takes over a conversation that another one started.
  [{ conversions: 1 }, 0],
])('conversionRate(%j) returns %d percent', (counts, rate) => {
  expect(conversionRate(counts)).toBe(rate);
});
