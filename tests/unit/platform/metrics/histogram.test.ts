import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bucketOf,
  mergeBuckets,
  percentileMs,
  relativeError,
} from '#lib/platform/metrics/histogram.ts';

function bucketsOf(times: readonly number[]): Map<number, number> {
  const buckets = new Map<number, number>();
  for (const ms of times) {
    buckets.set(bucketOf(ms), (buckets.get(bucketOf(ms)) ?? 0) + 1);
  }

  return buckets;
}

/** Uses the nearest-rank method. */
function exactPercentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);

  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? 0;
}

const times = fc.array(fc.double({ min: 0.01, max: 3_600_000, noNaN: true }), {
  minLength: 1,
  maxLength: 300,
});
const share = fc.constantFrom(0, 0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 1);

describe('percentileMs', () => {
  it('returns a value within five percent of the exact percentile', () => {
    fc.assert(
      fc.property(times, share, (measured, part) => {
        const exact = exactPercentile(measured, part);
        const estimated = percentileMs(bucketsOf(measured), part) ?? 0;

        expect(Math.abs(estimated - exact) / exact).toBeLessThanOrEqual(relativeError + 1e-9);
      }),
    );
  });

  it('returns the same value for merged buckets as for all measurements', () => {
    fc.assert(
      fc.property(times, times, share, (one, other, part) => {
        const merged = mergeBuckets([bucketsOf(one), bucketsOf(other)]);

        expect(percentileMs(merged, part)).toBe(percentileMs(bucketsOf([...one, ...other]), part));
      }),
    );
  });

  it('returns null without measurements', () => {
    expect(percentileMs(new Map(), 0.5)).toBeNull();
  });

  it('needs at most 210 buckets for any duration', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true }), (ms) => {
        expect(bucketOf(ms)).toBeGreaterThanOrEqual(0);
        expect(bucketOf(ms)).toBeLessThanOrEqual(210);
      }),
    );
  });
});
