import * as fc from 'fast-check';
import { vi } from 'vitest';
import { setClock, setPause } from '#lib/platform/clock.ts';
import { forgetLastId } from '#lib/platform/ids.ts';

// Returns a function that calls operations of an organization as one of its members.
if (process.env.TEST_DEPTH === undefined) {
  fc.configureGlobal({ seed: 20_261_124 });
}

const environmentAtStart = { ...process.env };

/** Like `call`, with a custom or modified event. */
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
