import { noSuch, StripeError } from './errors.ts';
import { makeInvoice, putInvoice, writeInvoice } from './invoices.ts';
import { monthLater } from './month-later.ts';
import {
  changeMetadata,
  choice,
  clearableObject,
  clearableText,
  flag,
  identifier,
  integer,
  list,
  metadata,
  notModelled,
  object,
  type Params,
  text,
  timeRange,
} from './params.ts';
import { writePrice } from './prices.ts';
import { listParams, pageOf, type StripeObject, stripeRoute } from './route.ts';
import {
  isWithin,
  nowSeconds,
  type Proration,
  randomText,
  requireAttached,
  requireCustomer,
  requirePrice,
  type StripeStore,
  type Subscription,
} from './store.ts';
import { cardOf, payInvoice, refusalOf, voidInvoice } from './subscription-payments.ts';

const daySeconds = 86_400;
const pauseCollection = clearableObject({
  behavior: choice('keep_as_draft', 'mark_uncollectible', 'void'),
  resumes_at: notModelled,
});
const changeable = {
  cancel_at_period_end: flag,
  default_payment_method: clearableText(),
  metadata,
  pause_collection: pauseCollection,
  off_session: flag,
  cancel_at: notModelled,
  coupon: notModelled,
  discounts: notModelled,
  description: notModelled,
  payment_settings: notModelled,
  trial_settings: notModelled,
};
const paymentBehavior = choice(
  'allow_incomplete',
  'default_incomplete',
  'error_if_incomplete',
  'pending_if_incomplete',
);
const updateParams = {
  ...changeable,
  items: list(
    object({ id: identifier, price: identifier, quantity: integer(1, 1), deleted: notModelled }),
  ),
  payment_behavior: paymentBehavior,
  proration_behavior: choice('always_invoice', 'create_prorations', 'none'),
  proration_date: notModelled,
  billing_cycle_anchor: notModelled,
  trial_end: notModelled,
};
const createParams = {
  ...changeable,
  proration_behavior: notModelled,
  customer: identifier,
  items: list(object({ price: identifier, quantity: integer(1, 1) })),
  payment_behavior: paymentBehavior,
  trial_period_days: integer(1, 730),
  trial_end: notModelled,
  billing_cycle_anchor: notModelled,
  collection_method: notModelled,
  backdate_start_date: notModelled,
};

const previewParams = {
  customer: identifier,
  subscription: identifier,
  subscription_details: object({
    items: updateParams.items,
    proration_behavior: updateParams.proration_behavior,
    proration_date: notModelled,
    cancel_at_period_end: notModelled,
    trial_end: notModelled,
  }),
  preview_mode: notModelled,
  automatic_tax: notModelled,
  discounts: notModelled,
};

/** Formats a subscription as Stripe does. */
export function writeSubscription(subscription: Subscription): StripeObject {
  const { id, price, periodStart, periodEnd, created } = subscription;

  return {
    id,
    object: 'subscription',
    application: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: subscription.trialEnd ?? created,
    billing_mode: { flexible: null, type: 'classic' },
    cancel_at: subscription.cancelAtPeriodEnd ? periodEnd : null,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    canceled_at: subscription.canceledAt,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: 'charge_automatically',
    created,
    currency: price.currency,
    customer: subscription.customer,
    customer_account: null,
    default_payment_method: subscription.defaultPaymentMethod,
    default_source: null,
    description: null,
    discounts: [],
    ended_at: subscription.endedAt,
    items: {
      object: 'list',
      data: [
        {
          id: subscription.itemId,
          object: 'subscription_item',
          created,
          current_period_end: periodEnd,
          current_period_start: periodStart,
          discounts: [],
          metadata: {},
          price: writePrice(price),
          quantity: 1,
          subscription: id,
        },
      ],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: subscription.latestInvoice,
    livemode: false,
    metadata: subscription.metadata,
    pause_collection:
      subscription.pauseBehavior === null
        ? null
        : { behavior: subscription.pauseBehavior, resumes_at: null },
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    status: subscription.status,
    trial_end: subscription.trialEnd,
    trial_start: subscription.trialStart,
  };
}

/** Stores a subscription and sends its event. */
export function putSubscription(
  store: StripeStore,
  subscription: Subscription,
  event?: string,
): Subscription {
  store.subscriptions.set(subscription.id, subscription);
  if (event !== undefined) {
    store.emit(`customer.subscription.${event}`, writeSubscription(subscription));
  }

  return subscription;
}

/** Ends a subscription immediately. An unpaid first invoice is voided. */
export function endSubscription(store: StripeStore, subscription: Subscription): Subscription {
  const isFirst = subscription.status === 'incomplete';
  const open = store.invoices.get(subscription.latestInvoice ?? '');
  if (isFirst && open?.status === 'open') {
    voidInvoice(store, open);
  }
  const at = nowSeconds(store);
  const ended: Subscription = {
    ...subscription,
    status: isFirst ? 'incomplete_expired' : 'canceled',
    canceledAt: subscription.canceledAt ?? at,
    endedAt: at,
  };

  return putSubscription(store, ended, 'deleted');
}

export const subscriptionRoutes = [
  stripeRoute({
    method: 'POST',
    path: '/v1/invoices/create_preview',
    params: previewParams,
    run: previewChange,
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/subscriptions',
    params: createParams,
    required: ['customer', 'items'],
    run: (store, params) => writeSubscription(subscribe(store, params)),
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/subscriptions',
    params: {
      ...listParams,
      created: timeRange,
      customer: identifier,
      price: identifier,
      status: text(),
    },
    run: (store, params) => {
      const { status } = params;
      const subscriptions = [...store.subscriptions.values()].filter(
        (one) =>
          (params.customer === undefined || one.customer === params.customer) &&
          (params.price === undefined || one.price.id === params.price) &&
          (status === undefined
            ? one.status !== 'canceled'
            : status === 'all' || one.status === status) &&
          isWithin(one.created, params.created ?? {}),
      );

      return pageOf(subscriptions, params, '/v1/subscriptions', writeSubscription);
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/subscriptions/:id',
    params: {},
    run: (store, _params, id) => writeSubscription(requireSubscription(store, id)),
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/subscriptions/:id',
    params: updateParams,
    run: (store, params, id) => writeSubscription(changeSubscription(store, id, params)),
  }),
  stripeRoute({
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    params: { invoice_now: flag, prorate: flag, cancellation_details: notModelled },
    run: (store, _params, id) => {
      const subscription = requireSubscription(store, id);
      if (hasEnded(subscription)) {
        throw noSuch('subscription', id, { param: 'id', inPath: true });
      }

      return writeSubscription(endSubscription(store, subscription));
    },
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/subscriptions/:id/pause',
    params: { type: choice('subscription'), bill_for: notModelled, invoicing_behavior: text() },
    run: (store, _params, id) => {
      const subscription = requireChangeable(store, id);

      return writeSubscription(
        putSubscription(store, { ...subscription, status: 'paused' }, 'paused'),
      );
    },
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/subscriptions/:id/resume',
    params: {
      billing_cycle_anchor: object({ type: choice('now', 'unchanged') }),
      payment_behavior: text(),
      proration_behavior: choice('always_invoice', 'create_prorations', 'none'),
      proration_date: notModelled,
    },
    run: (store, _params, id) => {
      const subscription = requireChangeable(store, id);
      if (subscription.status !== 'paused') {
        throw new StripeError(400, 'You can only resume a paused subscription.');
      }

      return writeSubscription(
        putSubscription(store, { ...subscription, status: 'active' }, 'resumed'),
      );
    },
  }),
];

/**
 * If the first payment fails, throws or leaves the subscription incomplete, depending on
 * `payment_behavior`.
 */
function subscribe(store: StripeStore, params: Params<typeof createParams>): Subscription {
  const fresh = newSubscription(store, params);
  const isTrial = fresh.status === 'trialing';
  const amount = isTrial ? 0 : fresh.price.unitAmount;
  const card = cardOf(store, fresh);
  const refusal = refusalOf(card, amount);
  const behavior = params.payment_behavior ?? 'allow_incomplete';
  if (refusal !== undefined && behavior !== 'default_incomplete') {
    if (refusal.status !== 402 || behavior === 'error_if_incomplete') {
      throw refusal;
    }
  }
  const invoice = makeInvoice(store, fresh, { amount, billingReason: 'subscription_create' });
  const isPaid = refusal === undefined && (behavior !== 'default_incomplete' || amount === 0);
  const subscription: Subscription = {
    ...fresh,
    latestInvoice: invoice.id,
    status: isPaid ? fresh.status : 'incomplete',
  };
  putSubscription(store, subscription, 'created');
  putInvoice(store, invoice, 'invoice.created', 'invoice.finalized');
  if (isPaid) {
    payInvoice(store, invoice, card);
  }

  return subscription;
}

function newSubscription(store: StripeStore, params: Params<typeof createParams>): Subscription {
  const { id: customer } = requireCustomer(store, params.customer ?? '', {
    param: 'customer',
    inPath: false,
  });
  const [item = {}] = params.items ?? [];
  const price = requirePrice(store, item.price ?? '', { param: 'items[0][price]', inPath: false });
  const card = params.default_payment_method ?? null;
  if (card !== null) {
    requireAttached(store, card, customer);
  }
  const start = nowSeconds(store);
  const { trial_period_days: trialDays } = params;
  const trialEnd = trialDays === undefined ? null : start + trialDays * daySeconds;

  return {
    id: `sub_1${randomText(23)}`,
    itemId: `si_${randomText(14)}`,
    created: start,
    customer,
    price,
    status: trialEnd === null ? 'active' : 'trialing',
    periodStart: start,
    periodEnd: trialEnd ?? monthLater(start, start),
    trialStart: trialEnd === null ? null : start,
    trialEnd,
    cancelAtPeriodEnd: params.cancel_at_period_end ?? false,
    canceledAt: null,
    endedAt: null,
    defaultPaymentMethod: card,
    latestInvoice: null,
    pauseBehavior: null,
    metadata: changeMetadata({}, params.metadata),
  };
}

function changeSubscription(
  store: StripeStore,
  id: string,
  params: Params<typeof updateParams>,
): Subscription {
  const before = requireChangeable(store, id);
  const {
    cancel_at_period_end: cancelAtPeriodEnd = before.cancelAtPeriodEnd,
    default_payment_method: card = before.defaultPaymentMethod,
    pause_collection: pause,
  } = params;
  if (card !== null && card !== before.defaultPaymentMethod) {
    requireAttached(store, card, before.customer);
  }
  const canceledAt = before.canceledAt ?? nowSeconds(store);
  const changed: Subscription = {
    ...before,
    price: newPriceOf(store, before, params),
    cancelAtPeriodEnd,
    canceledAt: cancelAtPeriodEnd ? canceledAt : null,
    defaultPaymentMethod: card,
    pauseBehavior: pause === undefined ? before.pauseBehavior : (pause?.behavior ?? null),
    metadata: changeMetadata(before.metadata, params.metadata),
  };

  return changed.price.id === before.price.id || params.proration_behavior === 'none'
    ? putSubscription(store, changed, 'updated')
    : changePrice(store, before, changed, params);
}

function newPriceOf(
  store: StripeStore,
  { itemId, price }: Subscription,
  { items }: Pick<Params<typeof updateParams>, 'items'>,
): Subscription['price'] {
  const [item] = items ?? [];
  if (item === undefined) {
    return price;
  }
  if (item.id !== itemId) {
    throw item.id === undefined
      ? new StripeError(400, 'The sandbox does not support more than one subscription item', {
          param: 'items',
        })
      : noSuch('subscription_item', item.id, { param: 'items[0][id]', inPath: false });
  }

  return item.price === undefined
    ? price
    : requirePrice(store, item.price, { param: 'items[0][price]', inPath: false });
}

/** Returns the invoice that changing the price would create now. Nothing is stored. */
function previewChange(store: StripeStore, params: Params<typeof previewParams>): StripeObject {
  const { subscription: id = '', subscription_details: details = {} } = params;
  const before = requireChangeable(store, id, { param: 'subscription', inPath: false });
  if (details.proration_behavior !== 'always_invoice') {
    throw new StripeError(400, 'The sandbox only previews invoices of always_invoice', {
      param: 'subscription_details[proration_behavior]',
    });
  }
  const changed = { ...before, price: newPriceOf(store, before, details) };
  const prorations = prorationsOf(store, before, changed);
  const amount = prorations.reduce((sum, line) => sum + line.amount, 0);
  const invoice = makeInvoice(
    store,
    { ...changed, periodStart: nowSeconds(store) },
    { amount, billingReason: 'upcoming', prorations },
  );

  return writeInvoice({ ...invoice, id: `upcoming_${invoice.id}`, status: 'draft' });
}

/** Invoices the difference for the rest of the period at once, and pays it. */
function changePrice(
  store: StripeStore,
  before: Subscription,
  changed: Subscription,
  params: Params<typeof updateParams>,
): Subscription {
  const { payment_behavior: behavior = 'allow_incomplete', proration_behavior: proration } = params;
  if (proration !== 'always_invoice') {
    throw new StripeError(400, 'The sandbox does not support create_prorations', {
      param: 'proration_behavior',
    });
  }
  if (behavior === 'pending_if_incomplete' && params.metadata !== undefined) {
    throw new StripeError(
      400,
      'When `payment_behavior` is set to `pending_if_incomplete`, you can only pass supported params. `metadata` is not supported.',
      { param: 'metadata' },
    );
  }
  const prorations = prorationsOf(store, before, changed);
  const amount = prorations.reduce((sum, line) => sum + line.amount, 0);
  if (amount < 0) {
    throw new StripeError(400, 'The sandbox does not support credit for unused time', {
      param: 'proration_behavior',
    });
  }
  const card = cardOf(store, changed);
  const refusal = refusalOf(card, amount);
  if (refusal !== undefined) {
    throw refusal;
  }
  const invoice = makeInvoice(
    store,
    { ...changed, periodStart: nowSeconds(store) },
    { amount, billingReason: 'subscription_update', prorations },
  );
  const after = putSubscription(store, { ...changed, latestInvoice: invoice.id }, 'updated');
  putInvoice(store, invoice, 'invoice.created', 'invoice.finalized');
  payInvoice(store, invoice, card);

  return after;
}

/** A trial costs nothing, so there is nothing to prorate. */
function prorationsOf(
  store: StripeStore,
  { price: former, periodStart, periodEnd, status }: Subscription,
  { price: next }: Subscription,
): readonly Proration[] {
  const share =
    status === 'trialing' ? 0 : (periodEnd - nowSeconds(store)) / (periodEnd - periodStart);
  const of = (amount: number) => Math.round(amount * share);
  const since = new Date(nowSeconds(store) * 1_000).toISOString().slice(0, 10);

  return [
    {
      price: former,
      amount: 0 - of(former.unitAmount),
      description: `Unused time on ${former.nickname ?? 'plan'} after ${since}`,
    },
    {
      price: next,
      amount: of(next.unitAmount),
      description: `Remaining time on ${next.nickname ?? 'plan'} after ${since}`,
    },
  ];
}

function hasEnded({ status }: Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

const inPath = { param: 'id', inPath: true };

function requireSubscription(store: StripeStore, id: string, place = inPath): Subscription {
  const subscription = store.subscriptions.get(id);
  if (subscription === undefined) {
    throw noSuch('subscription', id, place);
  }

  return subscription;
}

function requireChangeable(store: StripeStore, id: string, place = inPath): Subscription {
  const subscription = requireSubscription(store, id, place);
  if (hasEnded(subscription)) {
    throw new StripeError(
      400,
      'A canceled subscription can only update its cancellation_details and metadata.',
    );
  }

  return subscription;
}
