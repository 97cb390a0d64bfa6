import type Stripe from 'stripe';
import { config } from '#lib/platform/config.ts';
import { upstream } from '#lib/platform/errors/failures.ts';
import type { SubscriptionStatus } from '#schemas/billing-subscription.ts';
import {
  CardDeclinedError,
  IdempotencyKeyUsedError,
  ResourceMissingError,
  UnknownPaymentMethodError,
} from './payment-errors.ts';
import { callProvider } from './stripe-client.ts';

/** The price of a plan's period at the provider. */
export type Price = {
  readonly priceId: string;
  readonly amountCents: number;
  readonly currency: string;
};

export type SubscriptionState = {
  readonly subscriptionId: string;
  readonly customerId: string;
  /** The id of our attempt that created the subscription, if any. */
  readonly attemptId: string | undefined;
  readonly status: SubscriptionStatus;
  /**
   * True if the whole subscription is paused, not only the collection of payments. It is resumed
   * differently.
   */
  readonly isHalted: boolean;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly trialEnd: string | undefined;
  readonly cancelAtPeriodEnd: boolean;
  /** Our plan in the current period. */
  readonly planId: string | undefined;
  /** Our plan in the next period, if it differs. */
  readonly pendingPlanId: string | undefined;
};

/**
 * An attempt to subscribe. The provider creates only one subscription for an attempt, however often
 * it is requested.
 */
export type SubscriptionAttempt = {
  readonly attemptId: string;
  readonly organizationId: string;
  readonly customerId: string;
  readonly planId: string;
  readonly priceId: string;
  readonly paymentMethodId: string;
  readonly trialDays: number;
  readonly createdAt: string;
};

const keyOf = (attemptId: string) => `subscription-${attemptId}`;
const isoOf = (seconds: number) => new Date(seconds * 1_000).toISOString();

export async function findPrice(lookupKey: string): Promise<Price | undefined> {
  const { data } = await callProvider((stripe) =>
    stripe.prices.list(
      { lookup_keys: [lookupKey], active: true, limit: 1 },
      { timeout: config.paymentTimeoutMs / 2, maxNetworkRetries: 0 },
    ),
  );
  const [price] = data;

  return price
    ? { priceId: price.id, amountCents: price.unit_amount ?? 0, currency: price.currency }
    : undefined;
}

/**
 * Creates a subscription. If the first payment fails or needs authentication, creates none.
 *
 * @throws CardDeclinedError; UnknownPaymentMethodError; a 502 if the outcome is unknown.
 */
export async function startSubscription(attempt: SubscriptionAttempt): Promise<SubscriptionState> {
  const { attemptId, customerId, priceId, paymentMethodId, trialDays } = attempt;
  try {
    const subscription = await callProvider((stripe) =>
      stripe.subscriptions.create(
        {
          customer: customerId,
          items: [{ price: priceId }],
          default_payment_method: paymentMethodId,
          payment_behavior: 'error_if_incomplete',
          ...(trialDays > 0 ? { trial_period_days: trialDays } : {}),
          metadata: metadataOf(attempt),
        },
        { idempotencyKey: keyOf(attemptId), timeout: (config.paymentTimeoutMs * 3) / 4 },
      ),
    );

    return stateOf(subscription);
  } catch (failure) {
    throw failure instanceof IdempotencyKeyUsedError ? upstream('payment', failure) : failure;
  }
}

function metadataOf({ attemptId, organizationId, planId }: SubscriptionAttempt) {
  return {
    organization_id: organizationId,
    plan_id: planId,
    subscription_attempt_id: attemptId,
  };
}

/** Tolerance for the difference between the provider's clock and ours. */
const clockSkewSeconds = 300;

/**
 * Finds the outcome of an attempt whose request got no response. If the provider does not know the
 * attempt, this uses up its idempotency key, so that a request that is still in flight creates
 * nothing. `open`: the provider is still processing it.
 */
export async function resolveSubscription(
  attempt: SubscriptionAttempt,
): Promise<SubscriptionState | 'none' | 'open'> {
  const known = await findAttempt(attempt);
  if (known) {
    return known;
  }
  const outcome = await useUpKey(attempt);

  return outcome === 'answered' ? fetchStoredResponse(attempt) : outcome;
}

/** Gets the provider's stored response to the attempt. Repeating the key has no other effect. */
async function fetchStoredResponse(
  attempt: SubscriptionAttempt,
): Promise<SubscriptionState | 'none'> {
  try {
    return await startSubscription(attempt);
  } catch (failure) {
    if (failure instanceof CardDeclinedError || failure instanceof UnknownPaymentMethodError) {
      return 'none';
    }
    throw failure;
  }
}

async function findAttempt(attempt: SubscriptionAttempt): Promise<SubscriptionState | undefined> {
  const { customerId, attemptId, createdAt } = attempt;
  const since = Math.floor(Date.parse(createdAt) / 1_000) - clockSkewSeconds;

  return callProvider(async (stripe) => {
    const subscriptions = stripe.subscriptions.list({
      customer: customerId,
      status: 'all',
      created: { gte: since },
      limit: 100,
    });
    for await (const subscription of subscriptions) {
      if (subscription.metadata.subscription_attempt_id === attemptId) {
        return stateOf(subscription);
      }
    }

    return undefined;
  });
}

/**
 * Uses the attempt's idempotency key for a subscription that charges nothing, and cancels that
 * subscription. `open` or `answered`: the key is already used, so the original attempt has reached
 * the provider.
 */
async function useUpKey({
  attemptId,
  customerId,
  priceId,
  organizationId,
}: SubscriptionAttempt): Promise<'none' | 'open' | 'answered'> {
  try {
    const { id } = await callProvider((stripe) =>
      stripe.subscriptions.create(
        {
          customer: customerId,
          items: [{ price: priceId }],
          payment_behavior: 'default_incomplete',
          metadata: { organization_id: organizationId, abandoned: 'true' },
        },
        { idempotencyKey: keyOf(attemptId) },
      ),
    );
    await endNow(id);

    return 'none';
  } catch (failure) {
    if (failure instanceof IdempotencyKeyUsedError) {
      return failure.isAnswered ? 'answered' : 'open';
    }
    throw failure;
  }
}

/** Returns the subscription, or `undefined` if it does not exist. */
export async function readSubscription(
  subscriptionId: string,
): Promise<SubscriptionState | undefined> {
  try {
    return stateOf(await callProvider((stripe) => stripe.subscriptions.retrieve(subscriptionId)));
  } catch (failure) {
    if (failure instanceof ResourceMissingError) {
      return undefined;
    }
    throw failure;
  }
}

type Change = Stripe.SubscriptionUpdateParams;

async function update(subscriptionId: string, change: Change): Promise<SubscriptionState> {
  return stateOf(
    await callProvider((stripe) => stripe.subscriptions.update(subscriptionId, change)),
  );
}

/** Undoes a cancellation that was scheduled for the end of the period. */
export function continueAfterPeriod(subscriptionId: string): Promise<SubscriptionState> {
  return update(subscriptionId, { cancel_at_period_end: false });
}

export function endWithPeriod(subscriptionId: string): Promise<SubscriptionState> {
  return update(subscriptionId, { cancel_at_period_end: true });
}

/** Voids invoices from now on. Periods continue, so that resuming charges nothing by itself. */
export function pauseCollection(subscriptionId: string): Promise<SubscriptionState> {
  return update(subscriptionId, { pause_collection: { behavior: 'void' } });
}

export function resumeCollection(subscriptionId: string): Promise<SubscriptionState> {
  return update(subscriptionId, { pause_collection: '' });
}

/** Resumes a subscription that was paused as a whole at the provider. */
export async function resumeHalted(subscriptionId: string): Promise<SubscriptionState> {
  return stateOf(
    await callProvider((stripe) =>
      stripe.subscriptions.resume(subscriptionId, {
        billing_cycle_anchor: { type: 'unchanged' },
        proration_behavior: 'none',
      }),
    ),
  );
}

/**
 * Makes a card the subscription's payment method. Returns the unpaid invoice if payments have
 * failed and the subscription should continue.
 */
export async function paySubscriptionWith(
  subscriptionId: string,
  paymentMethodId: string,
): Promise<string | undefined> {
  const subscription = await callProvider((stripe) =>
    stripe.subscriptions.update(subscriptionId, { default_payment_method: paymentMethodId }),
  );
  const { cancel_at_period_end: ends, latest_invoice: invoice } = subscription;
  const status = statusOf(subscription);
  const isOwed = (status === 'past_due' || status === 'unpaid') && !ends;

  return isOwed && invoice ? idOf(invoice) : undefined;
}

/** Cancels all subscriptions of a customer immediately. Idempotent. */
export async function endAllSubscriptions(customerId: string): Promise<void> {
  const running = await callProvider(async (stripe) => {
    const ids: string[] = [];
    for await (const { id, status } of stripe.subscriptions.list({
      customer: customerId,
      limit: 100,
    })) {
      if (status !== 'canceled' && status !== 'incomplete_expired') {
        ids.push(id);
      }
    }

    return ids;
  });
  for (const id of running) {
    await endNow(id);
  }
}

async function endNow(subscriptionId: string): Promise<void> {
  try {
    await callProvider((stripe) => stripe.subscriptions.cancel(subscriptionId));
  } catch (failure) {
    if (!(failure instanceof ResourceMissingError)) {
      throw failure;
    }
  }
}

/**
 * The plans of the current period and of the next renewal. The provider's price belongs to the next
 * renewal, so the metadata contains the current plan with the end of its period.
 */
export const planMetadata = {
  /** Returns the plan that the next renewal bills. */
  next: 'plan_id',
  current: 'current_plan_id',
  currentPrice: 'current_price_id',
  currentUntil: 'current_plan_until',
  /** The last change that the provider has invoiced, and the plan before it. */
  changeId: 'plan_change_id',
  previous: 'previous_plan_id',
} as const;

function plansOf(metadata: Stripe.Metadata, periodEnd: number) {
  const planId = metadata[planMetadata.next];
  const current = metadata[planMetadata.current];
  const isPending = Boolean(current) && metadata[planMetadata.currentUntil] === `${periodEnd}`;

  return isPending
    ? { planId: current, pendingPlanId: planId }
    : { planId, pendingPlanId: undefined };
}

/** Periods are stored on a subscription's items. Our subscriptions have exactly one item. */
export function stateOf(subscription: Stripe.Subscription): SubscriptionState {
  const { id, customer, metadata, trial_end: trialEnd, status } = subscription;
  const [item] = subscription.items.data;
  if (!item) {
    throw upstream('payment', new Error(`The subscription ${id} has no item`));
  }

  return {
    subscriptionId: id,
    customerId: idOf(customer),
    attemptId: metadata.subscription_attempt_id,
    status: statusOf(subscription),
    isHalted: status === 'paused',
    periodStart: isoOf(item.current_period_start),
    periodEnd: isoOf(item.current_period_end),
    trialEnd: trialEnd === null ? undefined : isoOf(trialEnd),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    ...plansOf(metadata, item.current_period_end),
  };
}

function idOf(thing: string | { readonly id: string }): string {
  return typeof thing === 'string' ? thing : thing.id;
}

const running = ['trialing', 'active', 'past_due', 'unpaid'] as const;
const waiting = ['incomplete', 'paused'] as const;

function statusOf({ status, pause_collection: paused }: Stripe.Subscription): SubscriptionStatus {
  const runs = running.find((known) => known === status);
  if (runs && paused) {
    return 'paused';
  }

  return runs ?? waiting.find((known) => known === status) ?? 'canceled';
}
