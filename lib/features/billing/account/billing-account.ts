import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { planOpening } from '#lib/features/billing/ledger/ledger.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { create, type Write } from '#lib/platform/db/write.ts';
import type { ApiError } from '#lib/platform/errors/api-error.ts';
import { billingNotSetUp, conflict } from '#lib/platform/errors/failures.ts';

export type CardRemoval = { readonly id: string; readonly actorId: string };

export type BillingAccount = {
  readonly organizationId: string;
  readonly customerId: string;
  readonly billingEmail: string;
  readonly billingName: string;
  readonly createdAt: string;
  /** The removal started at the provider and has not been recorded yet. */
  readonly cardBeingRemoved?: CardRemoval;
  /** True once the last card was removed. */
  readonly hasNoCard?: boolean;
};

export function findBillingAccount(organizationId: string): Promise<BillingAccount | undefined> {
  return get<BillingAccount>(keys.billing(organizationId));
}

/** Returns the organization that owns the customer, or `undefined` if none does. */
export async function findOrganizationOfCustomer(customerId: string): Promise<string | undefined> {
  const claim = await get<{ readonly organizationId: string }>(keys.customerClaim(customerId));

  return claim?.organizationId;
}

export function alreadySetUp(): ApiError {
  return conflict('Billing is already configured for this organization');
}

/**
 * Creates the billing account, the lookup from customer to organization, and the opening balance.
 * Fails if billing is already set up.
 */
export function planBillingAccount(
  account: Omit<BillingAccount, 'createdAt'>,
  welcomeCredits: number,
): readonly Write[] {
  const { organizationId, customerId } = account;

  return [
    create(keys.billing(organizationId), { ...account, createdAt: timestamp() }, alreadySetUp),
    create(keys.customerClaim(customerId), { organizationId }),
    ...planOpening(organizationId, welcomeCredits),
  ];
}

/** @throws 404 with setup instructions if billing is not set up. */
export async function requireBillingAccount(organizationId: string): Promise<BillingAccount> {
  const account = await findBillingAccount(organizationId);
  if (!account) {
    throw billingNotSetUp();
  }

  return account;
}

/**
 * Returns the account and its balance in one round trip.
 *
 * @throws 404 with setup instructions if billing is not set up.
 */
export async function requireBilling(
  organizationId: string,
): Promise<{ readonly account: BillingAccount; readonly balance: Balance }> {
  const [account, balance] = await getMany<BillingAccount | Balance>([
    keys.billing(organizationId),
    keys.balance(organizationId),
  ]);
  if (!account || !balance) {
    throw billingNotSetUp();
  }

  return { account: account as BillingAccount, balance: balance as Balance };
}
