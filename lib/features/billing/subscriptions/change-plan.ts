import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { minuteMs, now, timestamp } from '#lib/platform/clock.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';
import { ApiError, apiError, overtaken, wrongState } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { readInvoice } from '#lib/vendors/stripe/invoices.ts';
import { CardDeclinedError, paymentDeclined } from '#lib/vendors/stripe/payment-errors.ts';
import {
  type ChangeableSubscription,
  changeAtRenewal,
  keepCurrentPlan,
  readChangeable,
  upgradeNow,
} from '#lib/vendors/stripe/plan-changes.ts';
import type { SubscriptionState } from '#lib/vendors/stripe/subscriptions.ts';
import { creditInvoice } from './credit-allowance.ts';
import { requirePriceOf } from './plan-price.ts';
import { type Plan, requirePlan } from './plans.ts';
import {
  currentPlanOf,
  findSubscription,
  isUnchanged,
  noSubscription,
  type PlanChange,
  planState,
  requireSubscription,
  type Subscription,
  type SubscriptionRecord,
} from './subscription-record.ts';

/** The maximum duration of a request that changes the plan. */
const lockDurationMs = minuteMs / 2;

type Changing = SubscriptionRecord & Required<Pick<SubscriptionRecord, 'planChange'>>;

/**
 * Changes the plan. A larger plan starts now: the rest of the period is charged, and the difference
 * of the monthly credits is added. A smaller plan starts with the next period. Choosing the current
 * plan cancels a planned change. The change is stored before the provider is called, so only one
 * concurrent request calls it.
 *
 * @throws 400 if the plan is unknown, 402 if the payment fails, 404 if there is no subscription,
 * 409 if it already has the plan, is not active or is being changed, 502 if the outcome is unknown;
 * the scheduled reconciliation then completes it.
 */
export async function changePlan(
  organizationId: string,
  actorId: string,
  planId: string,
): Promise<Subscription> {
  const plan = requirePlan(planId);
  const found = await requireSubscription(organizationId);
  const current = found.planChange ? await afterInterruptedChange(found) : found;
  const formerPlanId = requireAnotherPlan(current, planId);
  const priceId = await requirePriceOf(plan);
  const planChange: PlanChange = {
    changeId: newId(),
    planId,
    actorId,
    formerPlanId,
    ...(current.pendingPlanId ? { wasPending: true } : {}),
  };
  const record: Changing = { ...current, planChange, version: current.version + 1 };
  await write(planLease(current, planChange));
  try {
    await changeAtProvider(record, plan, priceId);
  } catch (failure) {
    await undo(record, failure);
    throw failure instanceof CardDeclinedError ? paymentDeclined(failure) : failure;
  }
  await complete(record);

  return requireSubscription(organizationId);
}

/**
 * Returns the plan of the next renewal.
 *
 * @throws 409 if it is the requested plan, or cannot change.
 */
export function requireAnotherPlan(current: Subscription, planId: string): string {
  const formerPlanId = nextPlanOf(current.plan.id, current.pendingPlanId);
  requireActive(current.status, current.cancelAtPeriodEnd);
  requireOther(formerPlanId, planId);

  return formerPlanId;
}

/** Returns the plan that the next renewal bills. */
function nextPlanOf<Id>(planId: Id, pendingPlanId: Id | undefined): Id {
  return pendingPlanId ?? planId;
}

function requireOther(formerPlanId: string, planId: string): void {
  if (formerPlanId === planId) {
    throw apiError('PLAN_UNCHANGED', 'The subscription already has this plan');
  }
}

function requireActive(status: string, isEnding: boolean | undefined): void {
  if (isEnding || (status !== 'active' && status !== 'trialing')) {
    throw wrongState(
      'Only an active subscription that is not canceled can change its plan',
      status,
    );
  }
}

function beingChanged(): ApiError {
  return overtaken('Another request is changing the subscription');
}

/** Completes the change of a crashed request, and returns the resulting state. */
async function afterInterruptedChange(record: Subscription): Promise<Subscription> {
  if (record.heldUntil !== undefined && Date.parse(record.heldUntil) > now()) {
    throw beingChanged();
  }
  await resolvePlanChange(record);

  return requireSubscription(record.organizationId);
}

function planLease(current: SubscriptionRecord, planChange: PlanChange): Write {
  return change(billingKeys.subscription(current.organizationId), {
    set: {
      planChange,
      version: current.version + 1,
      heldUntil: timestamp(lockDurationMs),
      ...dueIn('RECONCILE', timestamp(lockDurationMs)),
    },
    when: isUnchanged(current),
    onConditionFailed: beingChanged,
  });
}

async function changeAtProvider(record: Changing, plan: Plan, priceId: string): Promise<void> {
  const subscription = await requireChangeable(record.subscriptionId ?? '');
  const { state } = subscription;
  requireActive(state.status, state.cancelAtPeriodEnd);
  if (nextPlanOf(state.planId, state.pendingPlanId) === plan.id) {
    // An interrupted request made this change, and nothing has recorded it yet.
    await creditLatestUpgrade(subscription);
  } else if (state.planId === plan.id) {
    await keepCurrentPlan(subscription);
  } else if (plan.amountCents > currentPlanOf(record, state).amountCents) {
    await upgrade(record, subscription, priceId);
  } else {
    await changeAtRenewal(subscription, { planId: plan.id, priceId });
  }
}

/** @throws 404 */
export async function requireChangeable(subscriptionId: string): Promise<ChangeableSubscription> {
  const subscription = await readChangeable(subscriptionId);
  if (!subscription) {
    throw noSubscription();
  }

  return subscription;
}

/**
 * The provider prorates from its own price, so that price must be the one of the current period.
 */
async function upgrade(
  { planChange: { changeId, planId } }: Changing,
  subscription: ChangeableSubscription,
  priceId: string,
): Promise<void> {
  if (subscription.state.pendingPlanId) {
    await keepCurrentPlan(subscription);
  }
  const invoiceId = await upgradeNow(subscription, { changeId, planId, priceId });
  const invoice = invoiceId ? await readInvoice(invoiceId) : undefined;
  const previousPlanId = subscription.state.planId;
  if (invoice && previousPlanId) {
    await creditInvoice({ ...invoice, planId, upgrade: { changeId, previousPlanId } });
  }
}

/** Credits the upgrade of an interrupted request, unless its event has done so. */
async function creditLatestUpgrade({ latestInvoiceId }: ChangeableSubscription): Promise<void> {
  const invoice = latestInvoiceId ? await readInvoice(latestInvoiceId) : undefined;
  if (invoice?.upgrade) {
    await creditInvoice(invoice);
  }
}

/**
 * Removes the stored change if it certainly did not happen. Otherwise the reconciliation completes
 * it.
 */
async function undo(record: Changing, failure: unknown): Promise<void> {
  const isRefused = failure instanceof ApiError && failure.kind !== 'upstream';
  if (failure instanceof CardDeclinedError || isRefused) {
    await complete(record);
  }
}

/**
 * Completes an interrupted change according to the provider's state. If the change did not happen,
 * keeps the plan that was planned for the next period.
 */
export async function resolvePlanChange(record: SubscriptionRecord): Promise<void> {
  const { planChange, subscriptionId } = record;
  if (planChange && subscriptionId) {
    await creditLatestUpgrade(await requireChangeable(subscriptionId));
    await complete({ ...record, planChange });
  }
}

function complete(record: Changing): Promise<void> {
  return retryWhenOvertaken('subscription', async () => {
    const current = await findSubscription(record.organizationId);
    if (current?.planChange?.changeId === record.planChange.changeId) {
      await completeOnce({ ...current, planChange: record.planChange });
    }
  });
}

async function completeOnce(record: Changing): Promise<void> {
  const { organizationId, subscriptionId = '', planChange } = record;
  const found = await readChangeable(subscriptionId);
  if (!found) {
    return;
  }
  const state = await withFormerPendingPlan(planChange, found);
  const { planId, formerPlanId } = planChange;
  const isDone =
    planId !== formerPlanId && nextPlanOf(state.planId, state.pendingPlanId) === planId;
  await write(
    ...planState(record, state, { planChange: null }),
    ...(isDone
      ? planAudit(organizationId, {
          action: 'billing.subscription_plan_changed',
          actorId: planChange.actorId,
          details: { plan: planId },
        })
      : []),
  );
}

/** Restores the planned plan, if an upgrade replaced it and then failed. */
async function withFormerPendingPlan(
  { planId, formerPlanId, wasPending }: PlanChange,
  subscription: ChangeableSubscription,
): Promise<SubscriptionState> {
  const { state } = subscription;
  const isLost = wasPending && !state.pendingPlanId && state.planId !== planId;
  if (!isLost || state.status === 'canceled') {
    return state;
  }
  const priceId = await requirePriceOf(requirePlan(formerPlanId));

  return changeAtRenewal(subscription, { planId: formerPlanId, priceId });
}
