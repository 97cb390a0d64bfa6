import * as fc from 'fast-check';

/**
 * Histories of at least so many steps, in rounds: what stands in one round is done at once, the rounds
 * one after the other.
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

/** A step that waits begins a round. */
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
