import type { BillingAccount } from '#lib/features/billing/account/billing-account.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { isWanted, type SubscriptionRecord } from './subscription-record.ts';

/**
 * Has the subscription of an organization that is being removed ended at the provider. The work
 * lies beside the customer's claim, not in the tenant's partition: it outlives the organization. It
 * may be called again; no subscription begins any more.
 */
export async function planSubscriptionEnd(organizationId: string): Promise<void> {
  const [account, subscription] = await getMany<BillingAccount | SubscriptionRecord>([
    keys.billing(organizationId),
    keys.subscription(organizationId),
  ]);
  const record = subscription as SubscriptionRecord | undefined;
  if (!account || !record || !isWanted(record)) {
    return;
  }
  const { customerId } = account as BillingAccount;
  await writeIfMet(
    planWork('subscriptionEnd', {
      owner: keys.customerClaim(customerId),
      workId: organizationId,
      payload: JSON.stringify(record),
    }),
  );
}
