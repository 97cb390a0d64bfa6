import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Results } from '#lib/features/ai/probability-best.ts';
import { optimized, pickVariant } from '#lib/features/replies/choose-template.ts';
import { seededRandom } from '#scripts/seeded-random.ts';
import { depth } from '#tests/support/depth.ts';

describe('pickVariant', () => {
  const variants = [
    { id: 'a', weight: 50 },
    { id: 'b', weight: 30 },
    { id: 'c', weight: 20 },
    { id: 'd', weight: 0 },
  ];

  test('picks variants by weight, within one percent over 100,000 conversations', () => {
    const given = new Map<string, number>();
    for (let number = 0; number < 100_000; number += 1) {
      const { id = '' } = pickVariant(variants, `conversation ${number}`) ?? {};
      given.set(id, (given.get(id) ?? 0) + 1);
    }

    for (const { id, weight } of variants) {
      expect(Math.abs((given.get(id) ?? 0) / 1_000 - weight)).toBeLessThan(1);
    }
  });

  test('always picks the same variant for a conversation, whatever the order of the variants', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(pickVariant(variants.toReversed(), id)).toEqual(pickVariant(variants, id));
      }),
    );
  });

  test('returns undefined when all weights are zero', () => {
    expect(pickVariant([{ id: 'a', weight: 0 }], 'conversation')).toBeUndefined();
  });
});

const pair = [
  { id: 'a', weight: 1 },
  { id: 'b', weight: 3 },
];

describe('optimized', () => {
  const lost: Results = { assignments: 99, conversions: 0 };
  const won: Results = { assignments: 100, conversions: 99 };

  test('uses the configured weights until each variant has 100 assignments', () => {
    expect(optimized(pair, [won, lost])).toEqual(pair);
    expect(optimized(pair, [won, { ...lost, assignments: 100 }])[0]?.weight).toBeGreaterThan(0.999);
  });

  test('keeps the configured shares of variants that are equally good', () => {
    const [one, other] = optimized(pair, [won, won]);

    expect(one?.weight).toBeCloseTo(0.25, 6);
    expect(other?.weight).toBeCloseTo(0.75, 6);
  });

  test('returns shares that add up to 1', () => {
    const results = fc
      .tuple(fc.integer({ min: 100, max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([assignments, rate]) => ({ assignments, conversions: Math.floor(assignments * rate) }));
    fc.assert(
      fc.property(results, results, (one, other) => {
        const shares = optimized(pair, [one, other]).map(({ weight }) => weight);

        expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
      }),
      { numRuns: 50 },
    );
  });
});

const conversations = 10_000;
const seeds = Array.from({ length: depth(8, 20) }, (_, seed) => seed);
/** The results that a pick is based on can be this many conversations old. */
const refreshedEvery = 100;

/** Returns the variant that each conversation got. */
function simulate(rates: readonly number[], seed: number): readonly number[] {
  const random = seededRandom(seed);
  const variants = rates.map((_, index) => ({ id: `variant ${index}`, index, weight: 1 }));
  const results = rates.map(() => ({ assignments: 0, conversions: 0 }));
  let current: readonly (typeof variants)[number][] = variants;

  return Array.from({ length: conversations }, (_, number) => {
    if (number % refreshedEvery === 0) {
      current = optimized(variants, results);
    }
    const index = pickVariant(current, `conversation ${number} of ${seed}`)?.index ?? -1;
    const result = results[index] ?? { assignments: 0, conversions: 0 };
    result.assignments += 1;
    result.conversions += random() < (rates[index] ?? 0) ? 1 : 0;

    return index;
  });
}

function shareOfSecond(picked: readonly number[]): number {
  return picked.filter((index) => index === 1).length / picked.length;
}

function shareOf(numbers: readonly number[], test: (number: number) => boolean): number {
  return numbers.filter(test).length / numbers.length;
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

describe('an optimized test of 10,000 conversations', () => {
  test('sends over 80% of the traffic to the better variant at the end, with 5% against 7%', () => {
    const atTheEnd = seeds.map((seed) => shareOfSecond(simulate([0.05, 0.07], seed).slice(-1_000)));

    expect(shareOf(atTheEnd, (share) => share > 0.8)).toBeGreaterThanOrEqual(0.95);
    expect(meanOf(atTheEnd)).toBeGreaterThan(0.95);
  });

  test('keeps equal variants between 35% and 65%', () => {
    const shares = seeds.map((seed) => shareOfSecond(simulate([0.05, 0.05], seed)));

    // About 19 of 20 are expected. With a single draw, it would be 6.
    const isEven = (share: number) => share >= 0.35 && share <= 0.65;
    expect(shareOf(shares, isEven)).toBeGreaterThanOrEqual(0.85);
    expect(Math.abs(meanOf(shares) - 0.5)).toBeLessThan(0.1);
  });
});
