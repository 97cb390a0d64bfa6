import type { Figures } from './golden/golden.ts';

/** One table of the benchmarks. */
export type Section = {
  readonly title: string;
  readonly text: string;
  /** A line for each target that is missed. */
  readonly misses: readonly string[];
  /** A line for each function of which something could not be measured. */
  readonly failures?: readonly string[];
  /** What goes into the golden file, by the functions' names. */
  readonly figures: Readonly<Record<string, Figures>>;
};
