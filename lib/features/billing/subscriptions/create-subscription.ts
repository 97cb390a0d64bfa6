import { planCardsUnlocked } from '#lib/features/billing/cards/card-lease.ts';
import { cardUnknown, requireOwnCard } from '#lib/features/billing/cards/own-card.ts';
import { planOrganizationExists } from '#lib/features/organizations/organizations.ts';
import { minuteMs, now, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, either, equals } from '#lib/platform/db/conditions.ts';
import type { StoredItem } from '#lib/platform/db/failures.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { ApiError, apiError, overtaken, upstream } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import { newId } from '#lib/platform/ids.ts';
import {
  CardDeclinedError,
  paymentDeclined,
  UnknownPaymentMethodError,
} from '#lib/vendors/stripe/payment-errors.ts';
import { type SubscriptionState, startSubscription } from '#lib/vendors/stripe/subscriptions.ts';
import type * as contracts from '#schemas/billing-subscription.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { requirePriceOf } from './plan-price.ts';
import { requirePlan } from './plans.ts';
import { attemptOf, resolveAttempt } from './resolve-attempt.ts';
import {
  findSubscription,
  isUnchanged,
  isWanted,
  noSubscription,
  openSubscription,
  planNoSubscription,
  planState,
  requireCustomerAndSubscription,
  type Subscription,
  type SubscriptionRecord,
} from './subscription-record.ts';

/** Gives the request that creates the subscription time to finish before reconciliation. */
const lockDurationMs = minuteMs / 2;

export type Order = BodyOf<typeof contracts.createSubscription>;

/**
 * Subscribes to a plan. The attempt is stored before the provider is called, so only one concurrent
 * request calls it. The next request or the scheduled reconciliation resolves an attempt with an
 * unknown outcome. A repeated request returns the subscription it created. If that has ended, it
 * creates no other one.
 *
 * @throws 400 if the plan or card is unknown, 404 if billing is not set up, 409 if a subscription
 * exists, 402 if the first payment fails, 502 if the outcome is unknown.
 */
export async function createSubscription(
  organizationId: string,
  actorId: string,
  intent: Intent,
  { planId, paymentMethodId }: Order,
): Promise<Subscription> {
  const plan = requirePlan(planId);
  const { customer, record: found } = await requireCustomerAndSubscription(organizationId);
  const record = found?.intentId === intent.id ? await settled(found) : found;
  if (record?.intentId === intent.id) {
    return requireActive(record);
  }
  const { customerId } = customer;
  const former = await withoutSubscription(record);
  const [priceId] = await Promise.all([
    requirePriceOf(plan),
    requireOwnCard(customerId, paymentMethodId),
  ]);
  const hadTrial = former?.hadTrial || former?.trialEnd !== undefined;
  const attempt: SubscriptionRecord = {
    organizationId,
    customerId,
    attemptId: newId(),
    intentId: intent.id,
    actorId,
    plan: hadTrial ? { ...plan, trialDays: 0 } : plan,
    ...(hadTrial ? { hadTrial } : {}),
    priceId,
    paymentMethodId,
    createdAt: timestamp(),
    heldUntil: timestamp(lockDurationMs),
    status: 'creating',
    version: (former?.version ?? 0) + 1,
  };
  await write(
    planSubscriptionClaim(attempt, former),
    planCardsUnlocked(organizationId),
    planOrganizationExists(organizationId),
  );
  const state = await createAtProvider(attempt);
  await writeIfMet(...planState(attempt, state));

  return subscriptionFrom(attempt, state);
}

/**
 * Returns the outcome of an earlier attempt by the same request.
 *
 * @throws 502 while the provider is still processing it.
 */
async function settled(attempt: SubscriptionRecord): Promise<SubscriptionRecord | undefined> {
  if (!(await resolveAttempt(attempt))) {
    throw upstream('payment', new Error('An earlier request to subscribe is not settled'));
  }

  return attempt.status === 'creating' ? findSubscription(attempt.organizationId) : attempt;
}

function alreadySubscribed(): ApiError {
  return apiError('SUBSCRIPTION_EXISTS', 'The organization already has a subscription');
}

function beingCreated(): ApiError {
  return overtaken('Another request is creating a subscription');
}

/** Returns the record of an ended subscription, if any, after resolving an unfinished attempt. */
async function withoutSubscription(
  record: SubscriptionRecord | undefined,
): Promise<SubscriptionRecord | undefined> {
  if (!record || !isWanted(record)) {
    return record;
  }
  if (record.status !== 'creating') {
    throw alreadySubscribed();
  }
  const isHeld = record.heldUntil !== undefined && Date.parse(record.heldUntil) > now();
  if (isHeld || !(await resolveAttempt(record))) {
    throw beingCreated();
  }
  const settled = await findSubscription(record.organizationId);
  if (settled && isWanted(settled)) {
    throw settled.status === 'creating' ? beingCreated() : alreadySubscribed();
  }

  return settled;
}

const clearedAttributes = {
  subscriptionId: null,
  periodStart: null,
  periodEnd: null,
  trialEnd: null,
  cancelAtPeriodEnd: null,
  isHalted: null,
  repliesPaused: null,
  unpaidTold: null,
  pendingPlanId: null,
  planChange: null,
};

/** Allows only one concurrent request to call the provider. */
function planSubscriptionClaim(
  attempt: SubscriptionRecord,
  former: SubscriptionRecord | undefined,
): Write {
  return change(billingKeys.subscription(attempt.organizationId), {
    set: { ...clearedAttributes, ...attempt, ...dueIn('RECONCILE', timestamp(lockDurationMs)) },
    when: former
      ? allOf(isUnchanged(former), equals('status', 'canceled'))
      : either(absent('status'), equals('status', 'canceled')),
    orCreate: true,
    onConditionFailed: (stored: StoredItem | undefined) =>
      stored?.status === 'creating' ? beingCreated() : alreadySubscribed(),
  });
}

async function createAtProvider(attempt: SubscriptionRecord): Promise<SubscriptionState> {
  try {
    return await startSubscription(attemptOf(attempt));
  } catch (failure) {
    if (failure instanceof CardDeclinedError) {
      await writeIfMet(planNoSubscription(attempt));
      throw paymentDeclined(failure);
    }
    if (failure instanceof UnknownPaymentMethodError) {
      await writeIfMet(planNoSubscription(attempt));
      throw cardUnknown();
    }
    if (failure instanceof ApiError) {
      await releaseLock(attempt);
    }
    throw failure;
  }
}

/** Releases the lock so that the next request can resolve the attempt. */
async function releaseLock(attempt: SubscriptionRecord): Promise<void> {
  await writeIfMet(
    change(billingKeys.subscription(attempt.organizationId), {
      set: { heldUntil: null },
      when: isUnchanged(attempt),
    }),
  );
}

function subscriptionFrom(attempt: SubscriptionRecord, state: SubscriptionState): Subscription {
  const { trialEnd, attemptId: _made, planId: _ordered, pendingPlanId: _none, ...known } = state;

  return requireActive({
    ...attempt,
    ...known,
    ...(trialEnd === undefined ? {} : { trialEnd }),
  });
}

function requireActive(record: SubscriptionRecord): Subscription {
  const activeSubscription = openSubscription(record);
  if (!activeSubscription) {
    throw noSubscription();
  }

  return activeSubscription;
}
