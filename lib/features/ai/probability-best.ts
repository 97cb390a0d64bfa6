/** The results of a variant: its conversations, and those in which the lead was converted. */
export type Results = { readonly assignments: number; readonly conversions: number };

type Posterior = {
  readonly from: number;
  readonly step: number;
  /** The probability of each cell of the grid. */
  readonly masses: readonly number[];
  /** The total probability below the start of each cell. The last value is 1. */
  readonly below: readonly number[];
};

/** Enough for an error below 0.001. */
const cells = 400;
/** Covers a posterior except for a hundred-thousandth, even a posterior without any results. */
const deviations = 12;

/**
 * Returns for each variant the probability that its conversion rate is the highest, given its
 * results and a uniform prior (Beta with 1 and 1). The probabilities add up to 1.
 *
 * Integrates on a grid of log odds, on which posteriors are smooth and have about the same shape
 * for any number of results.
 */
export function probabilitiesBest(results: readonly Results[]): readonly number[] {
  const posteriors = results.map(posteriorOf);
  const sums = posteriors.map((posterior, index) => {
    const others = posteriors.filter((_, other) => other !== index);

    return sumOf(
      posterior.masses.map((mass, cell) => {
        const logOdds = posterior.from + (cell + 0.5) * posterior.step;

        return others.reduce((product, other) => product * probabilityBelow(other, logOdds), mass);
      }),
    );
  });
  const total = sumOf(sums);

  return sums.map((sum) => sum / total);
}

function posteriorOf({ assignments, conversions }: Results): Posterior {
  const alpha = 1 + conversions;
  const beta = 1 + assignments - conversions;
  const mode = Math.log(alpha / beta);
  const reach = deviations * Math.sqrt(1 / alpha + 1 / beta);
  const step = (2 * reach) / cells;
  const from = mode - reach;
  const logDensity = (logOdds: number) =>
    alpha * logOdds - (alpha + beta) * Math.log1p(Math.exp(logOdds));
  const peak = logDensity(mode);
  const densities = Array.from({ length: cells }, (_, cell) =>
    Math.exp(logDensity(from + (cell + 0.5) * step) - peak),
  );
  const total = sumOf(densities);
  const masses = densities.map((density) => density / total);
  const below = [0];
  for (const mass of masses) {
    below.push((below.at(-1) ?? 0) + mass);
  }

  return { from, step, masses, below };
}

function probabilityBelow({ from, step, below }: Posterior, logOdds: number): number {
  const position = (logOdds - from) / step;
  const cell = Math.floor(position);
  const [start, end] = [below[cell], below[cell + 1]];
  if (start === undefined || end === undefined) {
    return position < 0 ? 0 : 1;
  }

  return start + (position - cell) * (end - start);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
