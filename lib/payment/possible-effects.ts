import { AsyncLocalStorage } from 'node:async_hooks';

/** How many tries of a call reached the provider and were not refused: it may have acted on them. */
export type PossibleEffects = { count: number };

const ofCall = new AsyncLocalStorage<PossibleEffects>();

/** Runs a call and counts in `effects` what its tries may have done. */
export function countEffects<T>(effects: PossibleEffects, call: () => Promise<T>): Promise<T> {
  return ofCall.run(effects, call);
}

/** The count of the call that is running. */
export function effectsOfCall(): PossibleEffects {
  return ofCall.getStore() ?? { count: 0 };
}
