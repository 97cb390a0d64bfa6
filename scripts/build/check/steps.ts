import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { projectPath } from '#scripts/project.ts';
import { checkGenerated } from './check-generated.ts';
import { checkKeyStrings } from './check-key-strings.ts';
import { checkPlainEnglish } from './check-plain-english.ts';
import { checkLayers } from './layers/check-layers.ts';

export type Step = {
  readonly name: string;
  /** Returns a readable description of the problems, or an empty string. */
  readonly run: () => Promise<string>;
  /** Shown after the problems. Explains how to fix them. */
  readonly hint?: string;
};

/** The steps of `npm run check:fast` and the pre-commit hook. */
export const fastSteps: readonly Step[] = [
  {
    ...program('format and lint', ['node_modules/.bin/biome', 'check', '--error-on-warnings', '.']),
    hint: 'Run npm run format. It fixes most of these problems.',
  },
  // With several threads, each would check shared types again, which costs half as much CPU time
  // more.
  program('types', [
    'node_modules/typescript-7/bin/tsc',
    '-p',
    'tsconfig.json',
    '--singleThreaded',
  ]),
  { name: 'layers', run: async () => checkLayers().join('\n') },
  { name: 'generated files', run: async () => checkGenerated().join('\n') },
  { name: 'key strings', run: async () => checkKeyStrings().join('\n') },
  { name: 'plain English', run: async () => checkPlainEnglish().join('\n') },
];

/** Slow steps come first so that none of them runs alone at the end. */
export const steps: readonly Step[] = [
  program('round trips and units', ['scripts/bench/bench.ts', 'trips', '--check']),
  program('package and bundle sizes', ['scripts/build/check/check-package.ts']),
  ...fastSteps,
  program('unused code and dependencies', ['node_modules/.bin/knip', '--no-progress']),
  {
    name: 'planned writes',
    run: async () => {
      // Loads the compiler only here, because the fast checks do not need it.
      const { checkPlannedWrites } = await import('./check-planned-writes.ts');

      return checkPlannedWrites().join('\n');
    },
  },
  program('OpenAPI document', ['node_modules/.bin/redocly', 'lint', 'docs/openapi.json']),
];

/** A Node.js program. Its whole output is shown if it fails. */
function program(name: string, [script = '', ...options]: readonly string[]): Step {
  return {
    name,
    run: async () => {
      const child = spawn(process.execPath, [projectPath(script), ...options], {
        cwd: projectPath(),
        stdio: ['ignore', 'pipe', 'pipe'],
        // Without these, Redocly would send telemetry and check for updates.
        env: {
          ...process.env,
          REDOCLY_TELEMETRY: 'off',
          REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        },
      });
      const [output, errors, [exitCode]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);

      return exitCode === 0 ? '' : `${output}${errors}`.trim() || `exited with code ${exitCode}`;
    },
  };
}
