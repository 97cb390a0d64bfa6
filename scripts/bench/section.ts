import type { Figures } from './golden/golden.ts';

/** One table of the benchmark. */
export type Section = {
  readonly title: string;
  readonly text: string;
  /** A line for each missed target. */
  readonly misses: readonly string[];
  /** A line for each function with a failed measurement. */
  readonly failures?: readonly string[];
  /** The metrics for the golden file, by function name. */
  readonly figures: Readonly<Record<string, Figures>>;
};
