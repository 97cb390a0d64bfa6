import { timestamp } from '#lib/clock.ts';
import { keys } from '#lib/db/keys.ts';
import { get } from '#lib/db/read.ts';
import { create, type Write } from '#lib/db/write.ts';
import { conflict } from '#lib/errors/failures.ts';

/** An organization's customer at the payment provider. */
export type BillingAccount = {
  readonly organizationId: string;
  readonly customerId: string;
  readonly billingEmail: string;
  readonly billingName: string;
  readonly createdAt: string;
};

export function findBillingAccount(organizationId: string): Promise<BillingAccount | undefined> {
  return get<BillingAccount>(keys.billing(organizationId));
}

/** Sets up an organization's billing, once, and the way from the customer back to it. */
export function createBillingAccount(account: Omit<BillingAccount, 'createdAt'>): readonly Write[] {
  const { organizationId, customerId } = account;

  return [
    create(keys.billing(organizationId), { ...account, createdAt: timestamp() }, () =>
      conflict('Billing is already configured for this organization'),
    ),
    create(keys.customerClaim(customerId), { organizationId }),
  ];
}
