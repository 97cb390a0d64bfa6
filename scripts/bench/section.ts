import type { Metrics } from './golden/golden.ts';

/** One table of the benchmark. */
export type Section = {
  readonly title: string;
  readonly text: string;
  /** A line for each missed target, see docs/decisions/0051-performance-targets.md. */
  readonly misses: readonly string[];
  /** A line for each failed measurement or exceeded limit. The run then exits with 1. */
  readonly failures?: readonly string[];
  /** The metrics for the golden file, by function name. */
  readonly metrics: Readonly<Record<string, Metrics>>;
};
