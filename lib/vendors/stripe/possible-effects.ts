import { AsyncLocalStorage } from 'node:async_hooks';

/** The attempts of a call, and how many of them may have had an effect at the provider. */
export type PossibleEffects = { tries: number; count: number };

const ofCall = new AsyncLocalStorage<PossibleEffects>();

export function countEffects<T>(effects: PossibleEffects, call: () => Promise<T>): Promise<T> {
  return ofCall.run(effects, call);
}

export function effectsOfCall(): PossibleEffects | undefined {
  return ofCall.getStore();
}
