import * as fc from 'fast-check';
import { vi } from 'vitest';
import { setClock, setPause } from '#lib/platform/clock.ts';
import { forgetLastId } from '#lib/platform/ids.ts';

// The same cases in every run, so that no change fails by chance. Long runs try new ones.
if (process.env.TEST_DEPTH === undefined) {
  fc.configureGlobal({ seed: 20_261_124 });
}

const environmentAtStart = { ...process.env };

/** Resets the environment and the clock, because test files of one worker share loaded modules. */
export function beginFile(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) {
    delete process.env[name];
  }
  Object.assign(process.env, environmentAtStart, environment);
  setClock();
  setPause();
  forgetLastId();
}

/** Resets what a test set for itself. */
export function endTest(): void {
  setClock();
  vi.unstubAllEnvs();
}
