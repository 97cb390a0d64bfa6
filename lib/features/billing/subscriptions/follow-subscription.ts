import { findOrganizationOfCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import { planMailsToOwners } from '#lib/features/billing/customer/mails-to-owners.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { write } from '#lib/platform/db/write.ts';
import { subscriptionUnpaidMail } from '#lib/platform/mail/mails.ts';
import { readSubscription, type SubscriptionState } from '#lib/vendors/stripe/subscriptions.ts';
import type { PaymentEvent } from '#schemas/payment-event.ts';
import {
  currentPlanOf,
  findSubscription,
  planState,
  type SubscriptionRecord,
  type UnpaidStatus,
} from './subscription-record.ts';

/**
 * Updates the organization's subscription after an event from the provider. Notifies the owners
 * when payments fail, and again when the provider stops retrying.
 */
export async function followSubscription({ objectId, customerId }: PaymentEvent): Promise<void> {
  const organizationId = customerId ? await findOrganizationOfCustomer(customerId) : undefined;
  if (organizationId) {
    await retryWhenOvertaken('subscription', () => followOnce(organizationId, objectId));
  }
}

/**
 * Reads the record before the provider's state. If another write happens in between, the caller
 * starts over, so the last write always has the latest state.
 */
async function followOnce(organizationId: string, subscriptionId: string): Promise<void> {
  const record = await findSubscription(organizationId);
  if (!record || (record.subscriptionId ?? subscriptionId) !== subscriptionId) {
    return;
  }
  const state = await readSubscription(subscriptionId);
  if (!state || !belongsTo(record, state)) {
    return;
  }
  const unpaidTold = unpaidStatusOf(state);
  const isNewStatus = unpaidTold !== undefined && record.unpaidTold !== unpaidTold;
  if (isUnchanged(record, state) && !isNewStatus) {
    return;
  }
  const mails = isNewStatus ? await planUnpaidMails(record, unpaidTold) : [];
  await write(...planState(record, state, isNewStatus ? { unpaidTold } : {}), ...mails);
}

function unpaidStatusOf({ status }: SubscriptionState): UnpaidStatus | undefined {
  return status === 'past_due' || status === 'unpaid' ? status : undefined;
}

function planUnpaidMails(
  { organizationId, plan }: SubscriptionRecord,
  status: UnpaidStatus,
): Promise<readonly Write[]> {
  return planMailsToOwners(organizationId, (owner) =>
    subscriptionUnpaidMail({
      ...owner,
      planName: plan.name,
      isTriedAgain: status === 'past_due',
    }),
  );
}

function belongsTo(record: SubscriptionRecord, state: SubscriptionState): boolean {
  return (
    record.subscriptionId === state.subscriptionId ||
    (record.status === 'creating' && record.attemptId === state.attemptId)
  );
}

function isUnchanged(record: SubscriptionRecord, state: SubscriptionState): boolean {
  return (
    record.status === state.status &&
    record.periodStart === state.periodStart &&
    record.periodEnd === state.periodEnd &&
    record.trialEnd === state.trialEnd &&
    record.cancelAtPeriodEnd === state.cancelAtPeriodEnd &&
    record.plan.id === currentPlanOf(record, state).id &&
    record.pendingPlanId === state.pendingPlanId &&
    (record.isHalted ?? false) === state.isHalted
  );
}
