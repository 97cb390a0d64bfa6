import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import {
  type SubscriptionAttempt,
  resolveSubscription as settleAtProvider,
} from '#lib/vendors/stripe/subscriptions.ts';
import type { WorkPayload } from '#schemas/messages.ts';
import { planNoSubscription, planState, type SubscriptionRecord } from './subscription-record.ts';

/** Returns the parameters for the provider, which must be identical on every retry. */
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
 * Resolves a subscription attempt that got no response: the subscription was created, or never will
 * be. Returns false if the provider is still processing it.
 */
export async function resolveAttempt(record: SubscriptionRecord): Promise<boolean> {
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
