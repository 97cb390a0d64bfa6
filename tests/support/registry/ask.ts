import type { Contract } from '#schemas/contract.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';
import type { World } from './world.ts';

/** Calls an endpoint as the OWNER, in the world's organization. */
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
