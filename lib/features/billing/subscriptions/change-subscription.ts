import { type AuditAction, planAudit } from '#lib/platform/audit/audit-log.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { type ExtraWrites, noExtraWrites, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { wrongState } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import { ResourceMissingError } from '#lib/vendors/stripe/payment-errors.ts';
import {
  continueAfterPeriod,
  endWithPeriod,
  pauseCollection,
  readSubscription,
  resumeCollection,
  resumeHalted,
  type SubscriptionState,
} from '#lib/vendors/stripe/subscriptions.ts';
import {
  findSubscription,
  noSubscription,
  planState,
  requireSubscription,
  type Subscription,
} from './subscription-record.ts';

/**
 * Cancels the subscription at the end of its period. Idempotent.
 *
 * @throws 404 if there is no subscription, 502 if the provider is unavailable.
 */
export async function cancelSubscription(organizationId: string, actorId: string): Promise<void> {
  const subscription = await requireSubscription(organizationId);
  if (!subscription.cancelAtPeriodEnd) {
    await apply(
      subscription,
      actorId,
      'billing.subscription_canceled',
      endWithPeriod,
      noExtraWrites,
    );
  }
}

/**
 * Pauses payments and AI replies until the subscription is resumed. A repeated request calls the
 * provider again.
 *
 * @throws 404 if there is no subscription, 409 if it is already paused or its first payment is
 *   open, 502 if the provider is unavailable.
 */
export async function pauseSubscription(
  organizationId: string,
  actorId: string,
  intent: Intent,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  const subscription = await requireSubscription(organizationId);
  if (subscription.status === 'paused' && !intent.isRepeated) {
    throw wrongState('Subscription is already paused', subscription.status);
  }
  if (subscription.status === 'incomplete') {
    throw wrongState('Subscription cannot be paused before its first payment', subscription.status);
  }
  await apply(subscription, actorId, 'billing.subscription_paused', pauseCollection, extraWrites);
}

/**
 * Resumes payments and AI replies, or undoes a scheduled cancellation. Idempotent per request.
 *
 * @throws 404 if there is no subscription, 409 if it is neither paused nor ending, 502 if the
 * provider is unavailable.
 */
export async function resumeSubscription(
  organizationId: string,
  actorId: string,
  intent: Intent,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  const subscription = await requireSubscription(organizationId);
  const { status, cancelAtPeriodEnd, isHalted } = subscription;
  if (status !== 'paused' && !cancelAtPeriodEnd && !intent.isRepeated) {
    throw wrongState('Subscription is not paused', status);
  }
  const resumePayments = isHalted ? resumeHalted : resumeCollection;
  const resume = status !== 'paused' && cancelAtPeriodEnd ? continueAfterPeriod : resumePayments;
  await apply(subscription, actorId, 'billing.subscription_resumed', resume, extraWrites);
}

type ProviderCall = (subscriptionId: string) => Promise<SubscriptionState>;

/** Calls the provider, then stores the resulting state and the audit entry. */
async function apply(
  subscription: Subscription,
  actorId: string,
  action: AuditAction,
  ask: ProviderCall,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  const { organizationId, subscriptionId } = subscription;
  const audit = planAudit(organizationId, {
    action,
    actorId,
    details: { plan: subscription.plan.id },
  });
  const state = await callProvider(ask, subscriptionId);
  const others = [...(await extraWrites()), ...audit];
  if (!(await writeIfMet(...others, ...planState(subscription, state)))) {
    await retryWhenOvertaken('subscription', async () => {
      const record = await findSubscription(organizationId);
      const current = await readSubscription(subscriptionId);
      if (record?.subscriptionId === subscriptionId && current) {
        await write(...others, ...planState(record, current));
      }
    });
  }
}

async function callProvider(ask: ProviderCall, subscriptionId: string): Promise<SubscriptionState> {
  try {
    return await ask(subscriptionId);
  } catch (failure) {
    throw failure instanceof ResourceMissingError ? noSubscription() : failure;
  }
}
