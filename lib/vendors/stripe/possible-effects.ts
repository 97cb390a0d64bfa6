import { AsyncLocalStorage } from 'node:async_hooks';

/** The number of attempts of a call, and of those that may have had an effect at the provider. */
export type PossibleEffects = { tries: number; count: number };

const ofCall = new AsyncLocalStorage<PossibleEffects>();

export function countEffects<T>(effects: PossibleEffects, call: () => Promise<T>): Promise<T> {
  return ofCall.run(effects, call);
}

export function effectsOfCall(): PossibleEffects | undefined {
  return ofCall.getStore();
}
