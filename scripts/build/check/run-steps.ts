import type { Step } from './steps.ts';

export type Outcome = {
  readonly name: string;
  readonly problems: string;
  readonly durationMs: number;
};

/**
 * Runs all steps, `atOnce` at a time, and calls `onEnd` for each. A failing step does not stop the
 * others.
 */
export async function runSteps(
  steps: readonly Step[],
  options: { readonly atOnce: number; readonly onEnd: (outcome: Outcome) => void },
): Promise<readonly Outcome[]> {
  const waiting = [...steps];
  const outcomes: Outcome[] = [];
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const outcome = await outcomeOf(step);
      outcomes.push(outcome);
      options.onEnd(outcome);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, work));

  return outcomes;
}

async function outcomeOf({ name, run }: Step): Promise<Outcome> {
  const startedAt = performance.now();
  const problems = await run().catch((failure: unknown) => String(failure));

  return { name, problems, durationMs: performance.now() - startedAt };
}
