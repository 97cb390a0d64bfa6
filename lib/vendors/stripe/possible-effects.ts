import { AsyncLocalStorage } from 'node:async_hooks';

/** Of a call: how many tries were made, and on how many of them the provider may have acted. */
export type PossibleEffects = { tries: number; count: number };

const ofCall = new AsyncLocalStorage<PossibleEffects>();

/** Runs a call and counts in `effects` what its tries may have done. */
export function countEffects<T>(effects: PossibleEffects, call: () => Promise<T>): Promise<T> {
  return ofCall.run(effects, call);
}

/** The count of the call that is running. */
export function effectsOfCall(): PossibleEffects | undefined {
  return ofCall.getStore();
}
