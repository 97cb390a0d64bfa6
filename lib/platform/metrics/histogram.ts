/** Maximum relative error of a value read from a bucket. */
export const relativeError = 0.05;

/** Growth factor that keeps the middle of each bucket within the error of all its values. */
const growth = (1 + relativeError) / (1 - relativeError);
const logGrowth = Math.log(growth);
/** Shorter durations count as this one. */
const shortestMs = 0.01;
const lastBucket = Math.ceil(Math.log(3_600_000 / shortestMs) / logGrowth);

/** Number of durations per bucket. */
export type Buckets = ReadonlyMap<number, number>;

/** Returns the bucket number of a duration: 0 to about 200. */
export function bucketOf(ms: number): number {
  const number = Math.ceil(Math.log(Math.max(ms, shortestMs) / shortestMs) / logGrowth);

  return Math.min(number, lastBucket);
}

function middleMs(bucket: number): number {
  return (shortestMs * 2 * growth ** bucket) / (growth + 1);
}

/** Sums several histograms. */
export function mergeBuckets(all: Iterable<Buckets>): Buckets {
  const merged = new Map<number, number>();
  for (const buckets of all) {
    for (const [bucket, times] of buckets) {
      merged.set(bucket, (merged.get(bucket) ?? 0) + times);
    }
  }

  return merged;
}

/**
 * Returns the percentile `share` (0 to 1) by nearest rank, within `relativeError` of the exact
 * value. Null for an empty histogram.
 */
export function percentileMs(buckets: Buckets, share: number): number | null {
  const sorted = [...buckets].sort(([left], [right]) => left - right);
  const total = sorted.reduce((sum, [, times]) => sum + times, 0);
  const rank = Math.max(1, Math.ceil(share * total));
  let seen = 0;
  for (const [bucket, times] of sorted) {
    seen += times;
    if (seen >= rank) {
      return middleMs(bucket);
    }
  }

  return null;
}
