import type { Step } from './steps.ts';

export type Outcome = {
  readonly name: string;
  readonly problems: string;
  readonly durationMs: number;
};

/** Runs a step. An exception counts as a problem, so that it does not stop the other steps. */
export async function runStep({ name, run, hint }: Step): Promise<Outcome> {
  const startedAt = performance.now();
  const found = await run().catch((failure: unknown) => String(failure));
  const problems = found && hint ? `${found}\n\n${hint}` : found;

  return { name, problems, durationMs: performance.now() - startedAt };
}
