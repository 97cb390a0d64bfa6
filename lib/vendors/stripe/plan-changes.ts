import type Stripe from 'stripe';
import { config } from '#lib/platform/config.ts';
import { ResourceMissingError } from './payment-errors.ts';
import { callProvider } from './stripe-client.ts';
import { planMetadata, type SubscriptionState, stateOf } from './subscriptions.ts';

/** A subscription with the fields that a plan change needs. */
export type ChangeableSubscription = {
  readonly state: SubscriptionState;
  readonly itemId: string;
  /** The price of the current period. The next period may have a different price. */
  readonly currentPriceId: string;
  /** When the current period ends, in seconds since the epoch. */
  readonly periodEndSeconds: number;
  readonly latestInvoiceId: string | undefined;
};

/** Returns the subscription, or `undefined` if it does not exist. */
export async function readChangeable(
  subscriptionId: string,
): Promise<ChangeableSubscription | undefined> {
  try {
    return changeableOf(
      await callProvider((stripe) => stripe.subscriptions.retrieve(subscriptionId)),
    );
  } catch (failure) {
    if (failure instanceof ResourceMissingError) {
      return undefined;
    }
    throw failure;
  }
}

function changeableOf(subscription: Stripe.Subscription): ChangeableSubscription {
  const state = stateOf(subscription);
  const [item] = subscription.items.data;
  const priceId = item?.price.id ?? '';
  const noted = subscription.metadata[planMetadata.currentPrice];

  return {
    state,
    itemId: item?.id ?? '',
    currentPriceId: state.pendingPlanId ? (noted ?? priceId) : priceId,
    periodEndSeconds: item?.current_period_end ?? 0,
    latestInvoiceId: latestInvoiceOf(subscription),
  };
}

function latestInvoiceOf({ latest_invoice: invoice }: Stripe.Subscription): string | undefined {
  return (typeof invoice === 'string' ? invoice : invoice?.id) ?? undefined;
}

const cleared = {
  [planMetadata.current]: '',
  [planMetadata.currentPrice]: '',
  [planMetadata.currentUntil]: '',
};

export type Upgrade = {
  /** Our id of the change. The provider applies it once. */
  readonly changeId: string;
  readonly planId: string;
  readonly priceId: string;
};

/**
 * Changes the plan now and charges the difference for the rest of the period. Returns the invoice.
 *
 * @throws CardDeclinedError if the payment fails. Nothing has changed then.
 */
export async function upgradeNow(
  { state, itemId }: ChangeableSubscription,
  { changeId, planId, priceId }: Upgrade,
): Promise<string | undefined> {
  const subscription = await callProvider((stripe) =>
    stripe.subscriptions.update(
      state.subscriptionId,
      {
        items: [{ id: itemId, price: priceId }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
        metadata: {
          ...cleared,
          [planMetadata.next]: planId,
          [planMetadata.changeId]: changeId,
          [planMetadata.previous]: state.planId ?? '',
        },
      },
      { idempotencyKey: `plan-${changeId}`, timeout: (config.paymentTimeoutMs * 3) / 4 },
    ),
  );

  return latestInvoiceOf(subscription);
}

/**
 * Returns the amount that an upgrade would charge now, in cents. Changes nothing. The provider
 * prorates from the next period's price, so this subtracts the cost of returning to the current
 * period's price.
 */
export async function previewUpgrade(
  { state, itemId, currentPriceId }: ChangeableSubscription,
  priceId: string,
): Promise<number> {
  const prorationTo = async (price: string) => {
    const { lines } = await callProvider((stripe) =>
      stripe.invoices.createPreview({
        subscription: state.subscriptionId,
        subscription_details: {
          items: [{ id: itemId, price }],
          proration_behavior: 'always_invoice',
        },
      }),
    );

    return lines.data
      .filter(({ parent }) => parent?.subscription_item_details?.proration)
      .reduce((sum, { amount }) => sum + amount, 0);
  };
  const [charged, returned] = await Promise.all([
    prorationTo(priceId),
    state.pendingPlanId ? prorationTo(currentPriceId) : 0,
  ]);

  return charged - returned;
}

/** Makes the next renewal bill another plan. The current period does not change. */
export async function changeAtRenewal(
  { state, itemId, currentPriceId, periodEndSeconds }: ChangeableSubscription,
  { planId, priceId }: Omit<Upgrade, 'changeId'>,
): Promise<SubscriptionState> {
  return updateWithoutProration(state.subscriptionId, itemId, priceId, {
    [planMetadata.next]: planId,
    [planMetadata.current]: state.planId ?? '',
    [planMetadata.currentPrice]: currentPriceId,
    [planMetadata.currentUntil]: `${periodEndSeconds}`,
  });
}

/** Cancels a change that was planned for the next renewal. */
export async function keepCurrentPlan({
  state,
  itemId,
  currentPriceId,
}: ChangeableSubscription): Promise<SubscriptionState> {
  return updateWithoutProration(state.subscriptionId, itemId, currentPriceId, {
    ...cleared,
    [planMetadata.next]: state.planId ?? '',
  });
}

async function updateWithoutProration(
  subscriptionId: string,
  itemId: string,
  priceId: string,
  metadata: Readonly<Record<string, string>>,
): Promise<SubscriptionState> {
  return stateOf(
    await callProvider((stripe) =>
      stripe.subscriptions.update(subscriptionId, {
        items: [{ id: itemId, price: priceId }],
        proration_behavior: 'none',
        metadata,
      }),
    ),
  );
}
