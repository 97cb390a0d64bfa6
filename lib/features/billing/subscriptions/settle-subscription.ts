import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import {
  type SubscriptionAttempt,
  settleSubscription as settleAtProvider,
} from '#lib/vendors/stripe/subscriptions.ts';
import type { WorkPayload } from '#schemas/work-payloads.ts';
import { planNoSubscription, planState, type SubscriptionRecord } from './subscription-record.ts';

/** What the provider is told of an attempt: the same to the letter, however often. */
export function attemptOf(record: WorkPayload<'subscriptionEnd'>): SubscriptionAttempt {
  const { attemptId, organizationId, customerId, plan, priceId, paymentMethodId, createdAt } =
    record;

  return {
    attemptId,
    organizationId,
    customerId,
    planId: plan.id,
    priceId,
    paymentMethodId,
    trialDays: plan.trialDays,
    createdAt,
  };
}

/**
 * Settles an attempt to subscribe of which no answer came: the subscription stands, or will never
 * be made. False: the provider is not done with it.
 */
export async function settleAttempt(record: SubscriptionRecord): Promise<boolean> {
  if (record.status !== 'creating') {
    return true;
  }
  const outcome = await settleAtProvider(attemptOf(record));
  if (outcome === 'open') {
    return false;
  }
  await writeIfMet(
    ...(outcome === 'none' ? [planNoSubscription(record)] : planState(record, outcome)),
  );

  return true;
}
