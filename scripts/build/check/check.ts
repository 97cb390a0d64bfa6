import { parseArgs } from 'node:util';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { runStep } from './run-step.ts';
import { fastSteps, steps } from './steps.ts';

const { values } = parseArgs({ options: { fast: { type: 'boolean', default: false } } });

const outcomes = await atMostAtOnce(2, values.fast ? fastSteps : steps, async (step) => {
  const outcome = await runStep(step);
  const verdict = outcome.problems === '' ? 'ok    ' : 'FAILED';
  const seconds = (outcome.durationMs / 1000).toFixed(1).padStart(5);
  console.log(`${verdict}  ${seconds} s  ${outcome.name}`);

  return outcome;
});

const failed = outcomes.filter(({ problems }) => problems !== '');
for (const { name, problems } of failed) {
  console.error(`\n── ${name} ──\n${problems}`);
}
process.exitCode = failed.length === 0 ? 0 : 1;
