import { parseArgs } from 'node:util';
import { runSteps } from './run-steps.ts';
import { fastSteps, steps } from './steps.ts';

const { values } = parseArgs({ options: { fast: { type: 'boolean', default: false } } });

const outcomes = await runSteps(values.fast ? fastSteps : steps, {
  atOnce: 2,
  onEnd: ({ name, problems, durationMs }) => {
    const verdict = problems === '' ? 'ok    ' : 'FAILED';
    console.log(`${verdict}  ${(durationMs / 1000).toFixed(1).padStart(5)} s  ${name}`);
  },
});

const failed = outcomes.filter(({ problems }) => problems !== '');
for (const { name, problems } of failed) {
  console.error(`\n── ${name} ──\n${problems}`);
}
process.exitCode = failed.length === 0 ? 0 : 1;
