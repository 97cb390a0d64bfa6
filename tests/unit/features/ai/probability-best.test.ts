import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { probabilitiesBest, type Results } from '#lib/features/ai/probability-best.ts';
import { seededRandom } from '#scripts/seeded-random.ts';

const results: fc.Arbitrary<Results> = fc
  .tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([assignments, rate]) => ({ assignments, conversions: Math.round(assignments * rate) }));
const several = fc.array(results, { minLength: 1, maxLength: 5 });

/**
 * Sums of exponential random numbers have a gamma distribution, and two of these result in a beta
 * distribution.
 */
function drawBeta(random: () => number, { assignments, conversions }: Results): number {
  const gamma = (shape: number) =>
    Array.from({ length: shape }, () => -Math.log(1 - random())).reduce((sum, one) => sum + one);
  const won = gamma(1 + conversions);

  return won / (won + gamma(1 + assignments - conversions));
}

describe('probabilitiesBest', () => {
  test('adds up to 1, whatever the results', () => {
    fc.assert(
      fc.property(several, (variants) => {
        const probabilities = probabilitiesBest(variants);

        expect(probabilities).toHaveLength(variants.length);
        expect(probabilities.every((one) => one >= 0 && one <= 1)).toBe(true);
        expect(probabilities.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 10);
      }),
      { numRuns: 30 },
    );
  });

  test('does not depend on the order of the variants', () => {
    fc.assert(
      fc.property(several, (variants) => {
        const reversed = probabilitiesBest(variants.toReversed()).toReversed();

        for (const [index, one] of probabilitiesBest(variants).entries()) {
          expect(one).toBeCloseTo(reversed[index] ?? -1, 10);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('is the same for variants with the same results', () => {
    fc.assert(
      fc.property(results, fc.integer({ min: 1, max: 5 }), (variant, number) => {
        for (const one of probabilitiesBest(Array.from({ length: number }, () => variant))) {
          expect(one).toBeCloseTo(1 / number, 10);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('is higher with one more conversion', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 199 }),
        fc.integer({ min: 0, max: 200 }),
        (one, two) => {
          const other = { assignments: 200, conversions: two };
          const [before = 0] = probabilitiesBest([{ assignments: 200, conversions: one }, other]);
          const [after = 0] = probabilitiesBest([
            { assignments: 200, conversions: one + 1 },
            other,
          ]);

          expect(after).toBeGreaterThanOrEqual(before);
        },
      ),
      { numRuns: 30 },
    );
  });

  test.each<readonly [string, readonly Results[]]>([
    ['without results', [0, 0, 0].map(() => ({ assignments: 0, conversions: 0 }))],
    [
      'with few conversions',
      [
        { assignments: 100, conversions: 2 },
        { assignments: 150, conversions: 6 },
        { assignments: 120, conversions: 4 },
      ],
    ],
    [
      'with very different numbers of conversations',
      [
        { assignments: 10, conversions: 3 },
        { assignments: 1_000, conversions: 250 },
      ],
    ],
  ])('agrees with a simulation of the posteriors %s', (_, variants) => {
    const random = seededRandom(1);
    const rounds = 4_000;
    const won = variants.map(() => 0);
    for (let round = 0; round < rounds; round += 1) {
      const drawn = variants.map((variant) => drawBeta(random, variant));
      const best = drawn.indexOf(Math.max(...drawn));
      won[best] = (won[best] ?? 0) + 1;
    }

    for (const [index, one] of probabilitiesBest(variants).entries()) {
      expect(Math.abs(one - (won[index] ?? 0) / rounds)).toBeLessThan(0.03);
    }
  });

  test('is known exactly for a variant that converted once, against one that did not', () => {
    // Beta(2, 1) beats Beta(1, 2) with a probability of 5/6.
    const variants = [
      { assignments: 1, conversions: 1 },
      { assignments: 1, conversions: 0 },
    ];

    expect(probabilitiesBest(variants)[0]).toBeCloseTo(5 / 6, 3);
  });
});
