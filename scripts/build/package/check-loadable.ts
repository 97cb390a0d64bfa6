import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { projectPath } from '#scripts/project.ts';
import type { Bundle } from './build.ts';

/** The variables that Lambda sets for every function. */
const lambdaEnvironment = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  AWS_SESSION_TOKEN: 'none',
};

/**
 * Finds bundles that Lambda can't load or that have no handler. This detects code that bundling
 * broke.
 */
export async function checkLoadable(bundles: readonly Bundle[]): Promise<string[]> {
  const script = projectPath('scripts/build/package/load-bundles.ts');
  const child = spawn(process.execPath, [script, ...bundles.map(({ path }) => path)], {
    env: lambdaEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);

  return exitCode === 0 ? [] : [`${output}${errors}`.trim()];
}
