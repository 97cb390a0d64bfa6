import { setClock, setPause } from '#lib/platform/clock.ts';
import { forgetLastId } from '#lib/platform/ids.ts';

const environmentAtStart = { ...process.env };

/**
 * Files of one worker share the modules that they load. What a file before this one has set there,
 * in the environment and of the clock, is taken back.
 */
export function beginFile(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) {
    delete process.env[name];
  }
  Object.assign(process.env, environmentAtStart, environment);
  setClock();
  setPause();
  forgetLastId();
}
