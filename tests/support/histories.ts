import * as fc from 'fast-check';

/**
 * Generates histories of at least this many steps, grouped into rounds. Steps of a round run
 * concurrently, and rounds run one after the other.
 */
export function histories<Step>(
  step: fc.Arbitrary<Step>,
  leastSteps: number,
): fc.Arbitrary<readonly (readonly Step[])[]> {
  const waits = fc.boolean();

  return fc
    .array(fc.tuple(step, waits), {
      minLength: leastSteps,
      maxLength: leastSteps + Math.ceil(leastSteps / 5),
    })
    .map(inRounds);
}

/** Groups the steps. A step that waits starts a new round. */
function inRounds<Step>(steps: readonly (readonly [Step, boolean])[]): readonly Step[][] {
  const rounds: Step[][] = [];
  for (const [step, waits] of steps) {
    const round = rounds.at(-1);
    if (round && !waits) {
      round.push(step);
    } else {
      rounds.push([step]);
    }
  }

  return rounds;
}
