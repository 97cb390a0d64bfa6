import type { Contract } from '#schemas/contract.ts';
import type { World } from '#scripts/fixtures/world.ts';
import { type Answer, askAs, type CallInput } from '#tests/support/api.ts';

/** Calls an endpoint as the OWNER, in the world's organization. */
export function ask(
  { organizationId, people }: World,
  contract: Contract,
  options?: CallInput,
): Promise<Answer> {
  return askAs({ token: people.OWNER.token, organizationId })(contract, options);
}
