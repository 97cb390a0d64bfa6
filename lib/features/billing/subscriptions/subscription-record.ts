import type { BillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { allOf, type Condition, equals } from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { change, remove, type Write } from '#lib/platform/db/write.ts';
import { type ApiError, apiError, billingNotSetUp } from '#lib/platform/errors/failures.ts';
import type { SubscriptionState } from '#lib/vendors/stripe/subscriptions.ts';
import type { SubscriptionStatus } from '#schemas/billing-subscription.ts';
import { findPlan, type Plan, presentPlan } from './plans.ts';

/**
 * An organization's subscription, as last read from the provider. The record is stored before the
 * provider is called, and is `creating` until the provider responds.
 */
export type SubscriptionRecord = {
  readonly organizationId: string;
  readonly customerId: string;
  /** Identifies the creation attempt at the provider. */
  readonly attemptId: string;
  /** The request that started the attempt. */
  readonly intentId?: string;
  readonly actorId: string;
  readonly plan: Plan;
  readonly priceId: string;
  readonly paymentMethodId: string;
  readonly createdAt: string;
  /** The request that is creating the subscription may run until this time. */
  readonly heldUntil?: string;
  readonly status: SubscriptionStatus | 'creating';
  /**
   * Incremented on every change. A response requested before the last change is discarded, so that
   * it cannot overwrite newer state.
   */
  readonly version: number;
  readonly subscriptionId?: string;
  readonly periodStart?: string;
  readonly periodEnd?: string;
  readonly trialEnd?: string;
  /** True if the organization has already used its one trial. */
  readonly hadTrial?: boolean;
  readonly cancelAtPeriodEnd?: boolean;
  readonly isHalted?: boolean;
  /** Turns off AI replies. */
  readonly repliesPaused?: boolean;
  /** The status for which the owners were notified. Cleared by a payment. */
  readonly unpaidTold?: UnpaidStatus;
  /** The plan of the next period, if it differs. */
  readonly pendingPlanId?: string;
  /** In progress until `heldUntil`, or interrupted by a crash. */
  readonly planChange?: PlanChange;
};

/**
 * A change of plan, stored before the provider is called. After a crash, the next change or the
 * scheduled reconciliation completes it.
 */
export type PlanChange = {
  readonly changeId: string;
  readonly planId: string;
  readonly actorId: string;
  /** The plan of the next renewal before the change. */
  readonly formerPlanId: string;
  /**
   * Set if that plan differed from the current one. It stays pending if the change does not happen.
   */
  readonly wasPending?: boolean;
};

/**
 * Payments fail. If `past_due`, the provider still retries them. If `unpaid`, it no longer does.
 */
export type UnpaidStatus = Extract<SubscriptionStatus, 'past_due' | 'unpaid'>;

/** A subscription that exists at the provider and has not ended. */
export type Subscription = SubscriptionRecord & {
  readonly status: SubscriptionStatus;
} & Required<Pick<SubscriptionRecord, 'subscriptionId' | 'periodStart' | 'periodEnd'>>;

export type KnownState = Omit<SubscriptionState, 'customerId' | 'attemptId'>;

export function findSubscription(organizationId: string): Promise<SubscriptionRecord | undefined> {
  return get<SubscriptionRecord>(billingKeys.subscription(organizationId));
}

/** True if the organization paused its subscription, which also pauses AI replies. */
export async function repliesArePaused(organizationId: string): Promise<boolean> {
  return (await findSubscription(organizationId))?.repliesPaused === true;
}

/** Returns the record if its subscription exists at the provider and has not ended. */
export function openSubscription(record: SubscriptionRecord | undefined): Subscription | undefined {
  const isOpen = record?.subscriptionId !== undefined && record.status !== 'canceled';

  return isOpen ? (record as Subscription) : undefined;
}

/** True if the subscription is active or may soon become active. */
export function isWanted(record: SubscriptionRecord | undefined): boolean {
  return record !== undefined && record.status !== 'canceled';
}

/**
 * Returns the billing customer and the subscription record, if any, in one round trip.
 *
 * @throws 404 with setup instructions if billing is not set up.
 */
export async function requireCustomerAndSubscription(organizationId: string): Promise<{
  readonly customer: BillingCustomer;
  readonly record: SubscriptionRecord | undefined;
}> {
  const [customer, record] = await getMany<BillingCustomer | SubscriptionRecord>([
    billingKeys.billing(organizationId),
    billingKeys.subscription(organizationId),
  ]);
  if (!customer) {
    throw billingNotSetUp();
  }

  return {
    customer: customer as BillingCustomer,
    record: record as SubscriptionRecord | undefined,
  };
}

/** @throws 404 if there is no subscription. */
export async function requireSubscription(organizationId: string): Promise<Subscription> {
  const { record } = await requireCustomerAndSubscription(organizationId);
  const subscription = openSubscription(record);
  if (!subscription) {
    throw noSubscription();
  }

  return subscription;
}

export function noSubscription(): ApiError {
  return apiError('SUBSCRIPTION_NOT_FOUND', 'No active subscription found');
}

/**
 * Stores the subscription's state, unless the record changed since it was read. The first write
 * after creation also adds the audit entry.
 */
export function planState(
  record: SubscriptionRecord,
  state: KnownState,
  alsoSet: Pick<SubscriptionRecord, 'unpaidTold'> & { readonly planChange?: null } = {},
): readonly Write[] {
  const { organizationId, version, attemptId, actorId, plan } = record;
  const { trialEnd = null, isHalted, status } = state;
  const isChangingPlan = record.planChange && alsoSet.planChange !== null;
  const set = {
    status,
    subscriptionId: state.subscriptionId,
    periodStart: state.periodStart,
    periodEnd: state.periodEnd,
    trialEnd,
    cancelAtPeriodEnd: state.cancelAtPeriodEnd,
    isHalted: isHalted || null,
    repliesPaused: status === 'paused' || null,
    ...(status === 'active' || status === 'canceled' ? { unpaidTold: null } : {}),
    plan: currentPlanOf(record, state),
    pendingPlanId: state.pendingPlanId ?? null,
    version: version + 1,
    // A plan change keeps its lease and reconciliation until it is completed.
    ...(isChangingPlan ? {} : { heldUntil: null, duePk: null, dueAt: null }),
    ...alsoSet,
  };

  return [
    change(billingKeys.subscription(organizationId), { set, when: isUnchanged(record) }),
    ...(record.status === 'creating'
      ? planAudit(organizationId, {
          action: 'billing.subscription_created',
          actorId,
          targetId: attemptId,
          details: { plan: plan.id },
        })
      : []),
  ];
}

/**
 * Returns the plan of the current period. A plan that is no longer offered is returned as it was
 * stored.
 */
export function currentPlanOf({ plan }: SubscriptionRecord, { planId }: KnownState): Plan {
  const known = planId === undefined || planId === plan.id ? undefined : findPlan(planId);

  return known ? { ...known, trialDays: plan.trialDays } : plan;
}

/** Records that no subscription exists. Keeps a record only to remember a used trial. */
export function planNoSubscription(record: SubscriptionRecord): Write {
  const { organizationId, version, hadTrial } = record;
  const [key, when] = [billingKeys.subscription(organizationId), isUnchanged(record)];
  const set = {
    status: 'canceled',
    intentId: null,
    version: version + 1,
    heldUntil: null,
    duePk: null,
    dueAt: null,
  };

  return hadTrial ? change(key, { set, when }) : remove(key, { when });
}

/**
 * True if the record is unchanged since it was read. The version alone is not enough, because a
 * removed record may be replaced by a new attempt with new versions.
 */
export function isUnchanged({ attemptId, version }: SubscriptionRecord): Condition {
  return allOf(equals('attemptId', attemptId), equals('version', version));
}

export function presentPeriod(subscription: Subscription) {
  const { subscriptionId: id, status, periodStart, periodEnd } = subscription;

  return { id, status, currentPeriodStart: periodStart, currentPeriodEnd: periodEnd };
}

export function presentSubscription(subscription: Subscription) {
  const { plan, status, periodEnd, trialEnd, cancelAtPeriodEnd = false } = subscription;
  const { pendingPlanId = null } = subscription;
  const isBilledOn = !cancelAtPeriodEnd && status !== 'paused';

  return {
    ...presentPeriod(subscription),
    plan: presentPlan(plan),
    nextBillingDate: isBilledOn ? periodEnd : null,
    trialEnd,
    cancelAtPeriodEnd,
    pendingPlanId,
  };
}
