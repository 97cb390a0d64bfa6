/**
 * Returns the value at this quantile. For an even number of values, the median is the lower one.
 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const found = sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
  if (found === undefined) {
    throw new Error('There are no values');
  }

  return found;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * The probability that a value of the first list is greater than one of the second (AUC,
 * Mann-Whitney). 0.5 means they are indistinguishable.
 */
export function probabilityOfMore(values: readonly number[], others: readonly number[]): number {
  const scores = values.flatMap((value) =>
    others.map((other) => (Math.sign(value - other) + 1) / 2),
  );

  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
