import { retryWhenOvertaken } from '#lib/db/retry-when-overtaken.ts';
import { write } from '#lib/db/write.ts';
import { readSubscription, type SubscriptionState } from '#lib/payment/subscriptions.ts';
import { findOrganizationOfCustomer } from './billing-account.ts';
import type { PaymentEvent } from './handle-payment-event.ts';
import { findSubscription, planState, type SubscriptionRecord } from './subscription-record.ts';

/** Writes down how the subscription stands that an event is about, if it is the organization's. */
export async function followSubscription({ objectId, customerId }: PaymentEvent): Promise<void> {
  const organizationId = customerId ? await findOrganizationOfCustomer(customerId) : undefined;
  if (organizationId) {
    await retryWhenOvertaken('subscription', () => followOnce(organizationId, objectId));
  }
}

/**
 * The record is read before the provider is: where another one has written meanwhile, with fresher
 * news or older, it is all done again. So the last to write has asked after the one before.
 */
async function followOnce(organizationId: string, subscriptionId: string): Promise<void> {
  const record = await findSubscription(organizationId);
  if (!record || (record.subscriptionId ?? subscriptionId) !== subscriptionId) {
    return;
  }
  const state = await readSubscription(subscriptionId);
  if (state && isOf(record, state) && !saysTheSame(record, state)) {
    await write(...planState(record, state));
  }
}

function isOf(record: SubscriptionRecord, state: SubscriptionState): boolean {
  return (
    record.subscriptionId === state.subscriptionId ||
    (record.status === 'creating' && record.attemptId === state.attemptId)
  );
}

function saysTheSame(record: SubscriptionRecord, state: SubscriptionState): boolean {
  return (
    record.status === state.status &&
    record.periodStart === state.periodStart &&
    record.periodEnd === state.periodEnd &&
    record.trialEnd === state.trialEnd &&
    record.cancelAtPeriodEnd === state.cancelAtPeriodEnd &&
    (record.isHalted ?? false) === state.isHalted
  );
}
