import type { Contract } from '#schemas/contract.ts';
import { type Call, gatewayEvent } from './gateway-event.ts';
import type { World } from './world.ts';

/** One realistic call of a function: creates the required data and returns the function's event. */
export type Scene = (world: World) => Promise<unknown>;

/**
 * An operation that functions share and that is measured separately: creates the required data and
 * returns the operation.
 */
export type Part = (world: World) => Promise<() => Promise<unknown>>;

/** An endpoint's scene for the given call. */
export function callOf(contract: Contract, prepare: (world: World) => Call | Promise<Call>): Scene {
  return async (world) => gatewayEvent(contract, await prepare(world));
}

/** A call that only needs an authenticated user. */
export function signedInCall(contract: Contract, body?: object): Scene {
  return callOf(contract, async (world) => {
    const { token } = await world.newAccount();

    return { token, ...(body ? { body } : {}) };
  });
}
