import type { BillingAccount } from '#lib/features/billing/account/billing-account.ts';
import { type Plan, presentPlan } from '#lib/features/billing/account/plans.ts';
import { auditWrites } from '#lib/platform/audit/audit-log.ts';
import { allOf, type Condition, equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { change, remove, type Write } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { billingNotSetUp } from '#lib/platform/errors/failures.ts';
import type { SubscriptionStatus } from '#schemas/billing-subscription.ts';

/**
 * What an organization has subscribed to, as the provider was last heard to have it. It is written
 * before the provider is asked for a subscription: until it has answered, the record is `creating`.
 */
export type SubscriptionRecord = {
  readonly organizationId: string;
  readonly customerId: string;
  /** Under whose name the provider was asked, and who asked. */
  readonly attemptId: string;
  /** What the attempt was made for. */
  readonly intentId?: string;
  readonly actorId: string;
  readonly plan: Plan;
  readonly priceId: string;
  readonly paymentMethodId: string;
  readonly createdAt: string;
  /** The request that is creating it may run until then. */
  readonly heldUntil?: string;
  readonly status: SubscriptionStatus | 'creating';
  /**
   * Goes up with every change. What was asked of the provider before the last change is not
   * written any more, so that nothing is turned back.
   */
  readonly version: number;
  readonly subscriptionId?: string;
  readonly periodStart?: string;
  readonly periodEnd?: string;
  readonly trialEnd?: string;
  /** There was a trial before this one: an organization has one. */
  readonly hadTrial?: boolean;
  readonly cancelAtPeriodEnd?: boolean;
  readonly isHalted?: boolean;
  /** The AI answers nobody. */
  readonly repliesPaused?: boolean;
  /** The owners have been told that it stands so; a payment takes it away. */
  readonly unpaidTold?: UnpaidStatus;
};

/** Its payments fail: they are tried again, or not any more. */
export type UnpaidStatus = Extract<SubscriptionStatus, 'past_due' | 'unpaid'>;

/** One that the provider has made and not ended. */
export type Subscription = SubscriptionRecord & {
  readonly status: SubscriptionStatus;
} & Required<Pick<SubscriptionRecord, 'subscriptionId' | 'periodStart' | 'periodEnd'>>;

/** How it stands at the provider, as far as the record says it. */
export type KnownState = {
  readonly subscriptionId: string;
  readonly status: SubscriptionStatus;
  readonly isHalted: boolean;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly trialEnd: string | undefined;
  readonly cancelAtPeriodEnd: boolean;
};

export function findSubscription(organizationId: string): Promise<SubscriptionRecord | undefined> {
  return get<SubscriptionRecord>(keys.subscription(organizationId));
}

/** Whether the organization has paused its subscription, and with it the replies of the AI. */
export async function repliesArePaused(organizationId: string): Promise<boolean> {
  return (await findSubscription(organizationId))?.repliesPaused === true;
}

/** The record, if it is of a subscription that stands at the provider. */
export function standing(record: SubscriptionRecord | undefined): Subscription | undefined {
  const stands = record?.subscriptionId !== undefined && record.status !== 'canceled';

  return stands ? (record as Subscription) : undefined;
}

/** Whether it stands, or may stand before long. */
export function isWanted(record: SubscriptionRecord | undefined): boolean {
  return record !== undefined && record.status !== 'canceled';
}

/**
 * The billing account, and the record of a subscription if there is one, in one round trip.
 *
 * @throws 404 with the way out, where billing has not been set up.
 */
export async function requireAccountAndSubscription(organizationId: string): Promise<{
  readonly account: BillingAccount;
  readonly record: SubscriptionRecord | undefined;
}> {
  const [account, record] = await getMany<BillingAccount | SubscriptionRecord>([
    keys.billing(organizationId),
    keys.subscription(organizationId),
  ]);
  if (!account) {
    throw billingNotSetUp();
  }

  return {
    account: account as BillingAccount,
    record: record as SubscriptionRecord | undefined,
  };
}

/** @throws 404 where there is no subscription. */
export async function requireSubscription(organizationId: string): Promise<Subscription> {
  const { record } = await requireAccountAndSubscription(organizationId);
  const subscription = standing(record);
  if (!subscription) {
    throw noSubscription();
  }

  return subscription;
}

export function noSubscription(): ApiError {
  return new ApiError('notFound', 'No active subscription found');
}

/**
 * Writes down how the subscription stands, unless the record has changed since it was read. Who
 * hears first that it was made, writes the audit entry too.
 */
export function planState(
  record: SubscriptionRecord,
  state: KnownState,
  alsoSet: Pick<SubscriptionRecord, 'unpaidTold'> = {},
): readonly Write[] {
  const { organizationId, version, attemptId, actorId, plan } = record;
  const { trialEnd = null, isHalted, status } = state;
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
    version: version + 1,
    heldUntil: null,
    duePk: null,
    dueAt: null,
    ...alsoSet,
  };

  return [
    change(keys.subscription(organizationId), { set, when: asRead(record) }),
    ...(record.status === 'creating'
      ? auditWrites(organizationId, {
          action: 'billing.subscription_created',
          actorId,
          targetType: 'billing',
          targetId: attemptId,
          details: { plan: plan.id },
        })
      : []),
  ];
}

/** There is no subscription after all. What is left says that there was a trial once, if there was. */
export function planNoSubscription(record: SubscriptionRecord): Write {
  const { organizationId, version, hadTrial } = record;
  const [key, when] = [keys.subscription(organizationId), asRead(record)];
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
 * The record is as it was read. Its version alone does not say so: a record that was removed is
 * followed by one of another attempt, whose versions begin anew.
 */
export function asRead({ attemptId, version }: SubscriptionRecord): Condition {
  return allOf(equals('attemptId', attemptId), equals('version', version));
}

/** How a new subscription is shown. */
export function presentPeriod(subscription: Subscription) {
  const { subscriptionId: id, status, periodStart, periodEnd } = subscription;

  return { id, status, currentPeriodStart: periodStart, currentPeriodEnd: periodEnd };
}

/** How a subscription is shown. */
export function presentSubscription(subscription: Subscription) {
  const { plan, status, periodEnd, trialEnd = null, cancelAtPeriodEnd = false } = subscription;
  const isBilledOn = !cancelAtPeriodEnd && status !== 'paused';

  return {
    ...presentPeriod(subscription),
    plan: presentPlan(plan),
    nextBillingDate: isBilledOn ? periodEnd : null,
    trialEnd,
    cancelAtPeriodEnd,
  };
}
