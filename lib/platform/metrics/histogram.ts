/** How far a value that is read from a bucket may be from the one that was put in. */
export const relativeError = 0.05;

/** The buckets grow by this factor, so that the middle of each is within the error of all in it. */
const growth = (1 + relativeError) / (1 - relativeError);
const logGrowth = Math.log(growth);
/** Shorter times count as this one. */
const shortestMs = 0.01;
const lastBucket = Math.ceil(Math.log(3_600_000 / shortestMs) / logGrowth);

/** How many times fell into each bucket, by its number. */
export type Buckets = ReadonlyMap<number, number>;

/** The number of the bucket that a time belongs to: 0 to about 200. */
export function bucketOf(ms: number): number {
  const number = Math.ceil(Math.log(Math.max(ms, shortestMs) / shortestMs) / logGrowth);

  return Math.min(number, lastBucket);
}

function middleMs(bucket: number): number {
  return (shortestMs * 2 * growth ** bucket) / (growth + 1);
}

/** Adds up the counts of several histograms. */
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
 * The time below which `share` (0 to 1) of all lie, by the nearest rank; within `relativeError` of
 * the exact one. Null where there are none.
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
