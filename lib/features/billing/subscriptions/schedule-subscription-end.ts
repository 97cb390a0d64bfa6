import type { BillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { isWanted, type SubscriptionRecord } from './subscription-record.ts';

/**
 * Schedules the end of a removed organization's subscription at the provider. The work is stored
 * with the customer's claim, outside the organization's partition, so it outlives the organization.
 * Safe to call again, because no new subscription can start.
 */
export async function scheduleSubscriptionEnd(organizationId: string): Promise<void> {
  const [customer, subscription] = await getMany<BillingCustomer | SubscriptionRecord>([
    billingKeys.billing(organizationId),
    billingKeys.subscription(organizationId),
  ]);
  const record = subscription as SubscriptionRecord | undefined;
  if (!customer || !record || !isWanted(record)) {
    return;
  }
  const { customerId } = customer as BillingCustomer;
  await writeIfMet(
    planWork('subscriptionEnd', {
      owner: billingKeys.customerClaim(customerId),
      workId: organizationId,
      payload: record,
    }),
  );
}
