import { findOrganizationOfCustomer } from '#lib/features/billing/account/billing-account.ts';
import { planMailsToOwners } from '#lib/features/billing/account/mails-to-owners.ts';
import type { PaymentEvent } from '#lib/features/billing/payment-event.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { write } from '#lib/platform/db/write.ts';
import { subscriptionUnpaidMail } from '#lib/platform/mail/mails.ts';
import { readSubscription, type SubscriptionState } from '#lib/vendors/stripe/subscriptions.ts';
import {
  findSubscription,
  planState,
  type SubscriptionRecord,
  type UnpaidStatus,
} from './subscription-record.ts';

/**
 * Writes down how the subscription stands that an event is about, if it is the organization's. That
 * its payments fail is told to the owners, and again when they are not tried any more.
 */
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
  if (!state || !isOf(record, state)) {
    return;
  }
  const unpaidTold = unpaidStatusOf(state);
  const isNews = unpaidTold !== undefined && record.unpaidTold !== unpaidTold;
  if (saysTheSame(record, state) && !isNews) {
    return;
  }
  const mails = isNews ? await planUnpaidMails(record, unpaidTold) : [];
  await write(...planState(record, state, isNews ? { unpaidTold } : {}), ...mails);
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
