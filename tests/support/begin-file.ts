import * as fc from 'fast-check';
import { vi } from 'vitest';
import { setClock, setPause } from '#lib/platform/clock.ts';
import { forgetLastId } from '#lib/platform/ids.ts';

// The default run generates the same cases each time, and a full run generates new ones.
if (process.env.TEST_DEPTH === undefined) {
  fc.configureGlobal({ seed: 20_261_124 });
}

const environmentAtStart = { ...process.env };

/** Resets the environment and the clock, because this process has run other files before. */
export function beginFile(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) {
    delete process.env[name];
  }
  Object.assign(process.env, environmentAtStart, environment);
  setClock();
  setPause();
  forgetLastId();
}

/** Resets the changes of a single test. */
export function endTest(): void {
  setClock();
  vi.unstubAllEnvs();
}
