import { newWorld as newWorldOf, type World } from '#scripts/fixtures/world.ts';
import { call } from '#tests/support/api.ts';
import { drainWork } from '#tests/support/work.ts';

/** Creates an organization with one member of each role, and with names that no other world has. */
export function newWorld(): Promise<World> {
  return newWorldOf({
    call: async (contract, options) => {
      const { status, body } = await call(contract, options);
      if (status >= 400) {
        throw new Error(`${contract.operationId} answered ${status}: ${JSON.stringify(body)}`);
      }

      return body;
    },
    drain: drainWork,
  });
}
