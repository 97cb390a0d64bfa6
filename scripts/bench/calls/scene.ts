import type { Contract } from '#schemas/contract.ts';
import { type Call, gatewayEvent } from './gateway-event.ts';
import type { World } from './world.ts';

/**
 * One realistic call of a function: makes what has to be there before, and gives the event that the
 * function is then called with.
 */
export type Scene = (world: World) => Promise<unknown>;

/**
 * Something that functions do among other things, and that is measured by itself: makes what has to
 * be there before, and gives what is then done.
 */
export type Part = (world: World) => Promise<() => Promise<unknown>>;

/** The scene of an endpoint, from the call that is to be measured. */
export function callOf(contract: Contract, prepare: (world: World) => Call | Promise<Call>): Scene {
  return async (world) => gatewayEvent(contract, await prepare(world));
}

/** The call that needs nothing but somebody who has signed in. */
export function signedInCall(contract: Contract, body?: object): Scene {
  return callOf(contract, async (world) => {
    const { token } = await world.newAccount();

    return { token, ...(body ? { body } : {}) };
  });
}
