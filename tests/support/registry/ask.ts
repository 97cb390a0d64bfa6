import type { Contract } from '#schemas/contract.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';
import type { World } from './world.ts';

/** A call of the OWNER's, in the organization of the world. */
export function ask(
  { organizationId, people }: World,
  contract: Contract,
  options: Call = {},
): Promise<Answer> {
  return call(contract, {
    token: people.OWNER.token,
    ...options,
    params: { organization_id: organizationId, ...options.params },
  });
}
