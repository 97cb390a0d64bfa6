import { findBillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { findCurrentMembership } from '#lib/platform/identity/current-organization.ts';
import { listMembershipsOf } from '#lib/platform/identity/identity.ts';
import { createSetupIntent } from '#lib/vendors/stripe/customers.ts';
import * as contracts from '#schemas/auth.ts';
import { ranksAtLeast } from '#schemas/contract.ts';

/**
 * Uses the organization's billing customer for owners and admins, and no customer for other roles.
 */
export const handler = endpoint(
  contracts.createSetupIntent,
  async ({ caller, selected, intent }) => {
    const membership =
      selected ??
      (await findCurrentMembership(caller.session, await listMembershipsOf(caller.userId)));
    const customer =
      membership && ranksAtLeast(membership.role, 'ADMIN')
        ? await findBillingCustomer(membership.organizationId)
        : undefined;

    return { clientSecret: await createSetupIntent(intent.id, customer?.customerId) };
  },
);
