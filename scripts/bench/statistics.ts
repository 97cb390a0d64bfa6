/** The value below which this part of all values lies; of an even number of values the lower one. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const found = sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
  if (found === undefined) {
    throw new Error('There is no quantile of no values');
  }

  return found;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * How probably one of the first values is more than one of the others (the AUC of Mann and Whitney):
 * 0.5 where they cannot be told apart.
 */
export function probabilityOfMore(values: readonly number[], others: readonly number[]): number {
  const scores = values.flatMap((value) =>
    others.map((other) => (Math.sign(value - other) + 1) / 2),
  );

  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
