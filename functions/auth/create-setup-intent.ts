import { findBillingAccount } from '#lib/billing/billing-account.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { findCurrentMembership } from '#lib/identity/current-organization.ts';
import { listMembershipsOf } from '#lib/identity/identity.ts';
import { ranksAtLeast } from '#lib/identity/roles.ts';
import { createSetupIntent as beginSetup } from '#lib/payment/customers.ts';
import { createSetupIntent } from '#schemas/auth.ts';

/** Uses the organization's billing customer for owners and admins, and no customer for others. */
export const handler = endpoint(
  createSetupIntent,
  async ({ caller, selected, intent }) => {
    const membership =
      selected ??
      (await findCurrentMembership(caller.session, await listMembershipsOf(caller.userId)));
    const account =
      membership && ranksAtLeast(membership.role, 'ADMIN')
        ? await findBillingAccount(membership.organizationId)
        : undefined;

    return {
      clientSecret: await beginSetup(intent.id, account?.customerId),
      message: 'Setup intent created successfully',
    };
  },
  { ahead: ({ userId }) => listMembershipsOf(userId) },
);
