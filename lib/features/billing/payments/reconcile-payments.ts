import { resolvePlanChange } from '#lib/features/billing/subscriptions/change-plan.ts';
import { resolveAttempt } from '#lib/features/billing/subscriptions/resolve-attempt.ts';
import type { SubscriptionRecord } from '#lib/features/billing/subscriptions/subscription-record.ts';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { isSubscriptionKey } from '#lib/platform/db/keys/billing.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { change } from '#lib/platform/db/write.ts';
import { changeIfMet } from '#lib/platform/db/write-if-met.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { resolvePayment } from '#lib/vendors/stripe/payments.ts';
import type { PaymentRecord } from './payment-record.ts';
import { creditPayment, failPayment } from './record-payment-outcome.ts';

const batchSize = 200;
const maxConcurrency = 10;
/** Delay before the next attempt if the outcome is still unknown. */
const retryDelayMs = minuteMs;

/**
 * Resolves payments whose outcome is unknown: each is charged and credited, or fails. Also resolves
 * subscriptions that are still being created, and interrupted plan changes.
 *
 * @returns the numbers of resolved and open ones.
 */
export async function reconcilePayments(): Promise<{
  readonly settled: number;
  readonly open: number;
}> {
  const due = await findDueItems('RECONCILE', batchSize);
  const outcomes = await atMostAtOnce(maxConcurrency, due, reconcileOne);
  const settled = outcomes.filter((isSettled) => isSettled).length;

  return { settled, open: outcomes.length - settled };
}

async function reconcileOne(item: DueItem): Promise<boolean> {
  try {
    const claimed = await claimItem(item);
    if (claimed && isSubscriptionKey(item)) {
      return await settleSubscription(claimed as SubscriptionRecord);
    }
    const payment = claimed as PaymentRecord | undefined;

    return payment?.status === 'PENDING' ? await settle(payment) : true;
  } catch (failure) {
    logger.warn('A payment or subscription could not be settled and will be looked into again', {
      failure: describeFailure(failure),
    });

    return false;
  }
}

async function settleSubscription(record: SubscriptionRecord): Promise<boolean> {
  await resolvePlanChange(record);

  return resolveAttempt(record);
}

/** Claims a due item, so that concurrent runs do not process it twice. */
function claimItem(item: DueItem): Promise<PaymentRecord | SubscriptionRecord | undefined> {
  return changeIfMet(
    change(item, { set: { dueAt: timestamp(retryDelayMs) }, when: equals('dueAt', item.dueAt) }),
  );
}

/**
 * Resolves one payment according to its state at the provider. Returns false if it is still open
 * there.
 */
async function settle(payment: PaymentRecord): Promise<boolean> {
  const { organizationId, paymentId, customerId, createdAt } = payment;
  const { intentId, status, reason, needsAction } = await resolvePayment({
    organizationId,
    paymentId,
    customerId,
    askedAtMs: Date.parse(createdAt),
  });
  if (status === 'succeeded') {
    await creditPayment(payment, intentId);
  } else if (status === 'failed') {
    await failPayment(payment, {
      reason: reason ?? 'The payment was never made',
      declined: reason !== undefined,
      needsAction,
    });
  }

  return status !== 'open';
}
