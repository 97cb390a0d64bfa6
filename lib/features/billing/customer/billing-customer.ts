import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { planOpening } from '#lib/features/billing/ledger/ledger.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { create, type Write } from '#lib/platform/db/write.ts';
import { type ApiError, apiError, billingNotSetUp } from '#lib/platform/errors/failures.ts';

export type CardRemoval = { readonly id: string; readonly actorId: string };

export type BillingCustomer = {
  readonly organizationId: string;
  readonly customerId: string;
  readonly billingEmail: string;
  readonly billingName: string;
  readonly createdAt: string;
  /** A removal that was started at the provider and has not been recorded yet. */
  readonly cardBeingRemoved?: CardRemoval;
  /** True once the last card was removed. */
  readonly hasNoCard?: boolean;
};

export function findBillingCustomer(organizationId: string): Promise<BillingCustomer | undefined> {
  return get<BillingCustomer>(billingKeys.billing(organizationId));
}

/** Returns the organization that owns the customer, or `undefined` if none does. */
export async function findOrganizationOfCustomer(customerId: string): Promise<string | undefined> {
  const claim = await get<{ readonly organizationId: string }>(
    billingKeys.customerClaim(customerId),
  );

  return claim?.organizationId;
}

export function alreadySetUp(): ApiError {
  return apiError('BILLING_ALREADY_SET_UP', 'Billing is already configured for this organization');
}

/**
 * Creates the billing customer, the lookup from customer to organization, and the opening balance.
 * Fails if billing is already set up.
 */
export function planBillingCustomer(
  customer: Omit<BillingCustomer, 'createdAt'>,
  welcomeCredits: number,
): readonly Write[] {
  const { organizationId, customerId } = customer;

  return [
    create(
      billingKeys.billing(organizationId),
      { ...customer, createdAt: timestamp() },
      alreadySetUp,
    ),
    create(billingKeys.customerClaim(customerId), { organizationId }),
    ...planOpening(organizationId, {
      id: organizationId,
      type: 'welcome_credit',
      credits: welcomeCredits,
      description: 'Welcome credits',
    }),
  ];
}

/** @throws 404 with setup instructions if billing is not set up. */
export async function requireBillingCustomer(organizationId: string): Promise<BillingCustomer> {
  const customer = await findBillingCustomer(organizationId);
  if (!customer) {
    throw billingNotSetUp();
  }

  return customer;
}

/**
 * Returns the customer and its balance in one round trip.
 *
 * @throws 404 with setup instructions if billing is not set up.
 */
export async function requireBilling(
  organizationId: string,
): Promise<{ readonly customer: BillingCustomer; readonly balance: Balance }> {
  const [customer, balance] = await getMany<BillingCustomer | Balance>([
    billingKeys.billing(organizationId),
    billingKeys.balance(organizationId),
  ]);
  if (!customer || !balance) {
    throw billingNotSetUp();
  }

  return { customer: customer as BillingCustomer, balance: balance as Balance };
}
