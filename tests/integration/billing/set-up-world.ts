import { createOrganization } from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type Call, call } from '#tests/support/api.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';

export type SetUpWorld = Awaited<ReturnType<typeof setUpWorld>>;

/** Creates a second organization for the owner, whose billing is not set up. */
export async function setUpWorld() {
  liftRateLimits();
  const owner = await newAccount();
  const made = await call(createOrganization, {
    token: owner.token,
    body: { name: 'Difference Engines' },
  });
  const organizationId = made.body.organization.id;

  function here(options: Call = {}): Call {
    return {
      token: owner.token,
      ...options,
      headers: { 'x-organization-id': organizationId, ...options.headers },
    };
  }

  return { owner, organizationId, here };
}
