import {
  changeMetadata,
  choice,
  flag,
  identifier,
  integer,
  list,
  metadata,
  notModelled,
  object,
  text,
} from './params.ts';
import { listParams, pageOf, type StripeObject, stripeRoute } from './route.ts';
import { nowSeconds, type Price, randomText, requirePrice, type StripeStore } from './store.ts';

/** The initial prices: the service's monthly plans by lookup key. */
const plansForSale = [
  { lookupKey: 'starter_monthly', name: 'Starter', unitAmount: 2_900 },
  { lookupKey: 'growth_monthly', name: 'Growth', unitAmount: 9_900 },
  { lookupKey: 'scale_monthly', name: 'Scale', unitAmount: 29_900 },
] as const;

const createParams = {
  active: flag,
  currency: text(3),
  lookup_key: text(200),
  metadata,
  nickname: text(),
  product: identifier,
  product_data: object({ name: text() }),
  recurring: object({ interval: choice('month', 'year'), interval_count: integer(1, 1) }),
  transfer_lookup_key: flag,
  unit_amount: integer(0, 99_999_999),
  custom_unit_amount: notModelled,
  tiers: notModelled,
};

const listFilters = {
  ...listParams,
  active: flag,
  lookup_keys: list(text()),
  currency: text(3),
  type: choice('recurring', 'one_time'),
};

/** Formats a price as Stripe does. */
export function writePrice(price: Price): StripeObject {
  return {
    id: price.id,
    object: 'price',
    active: price.active,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: price.lookupKey,
    metadata: price.metadata,
    nickname: price.nickname,
    product: price.product,
    recurring: {
      interval: price.interval,
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: price.unitAmount,
    unit_amount_decimal: String(price.unitAmount),
  };
}

/** Adds the plans if the store has no prices yet. */
export function openShop(store: StripeStore): StripeStore {
  for (const { lookupKey, name, unitAmount } of plansForSale) {
    putPrice(store, { lookupKey, nickname: name, unitAmount, currency: 'usd' });
  }

  return store;
}

function putPrice(
  store: StripeStore,
  fields: Pick<Price, 'lookupKey' | 'nickname' | 'unitAmount' | 'currency'> & Partial<Price>,
): Price {
  const price: Price = {
    id: `price_1${randomText(23)}`,
    created: nowSeconds(store),
    active: true,
    interval: 'month',
    product: `prod_${randomText(14)}`,
    metadata: {},
    ...fields,
  };
  store.prices.set(price.id, price);

  return price;
}

export const priceRoutes = [
  stripeRoute({
    method: 'POST',
    path: '/v1/prices',
    params: createParams,
    required: ['currency', 'unit_amount', 'recurring'],
    run: (store, params) => {
      const lookupKey = params.lookup_key ?? null;
      for (const other of store.prices.values()) {
        if (params.transfer_lookup_key === true && other.lookupKey === lookupKey) {
          store.prices.set(other.id, { ...other, lookupKey: null });
        }
      }

      return writePrice(
        putPrice(store, {
          lookupKey,
          nickname: params.nickname ?? params.product_data?.name ?? null,
          unitAmount: params.unit_amount ?? 0,
          currency: (params.currency ?? 'usd').toLowerCase(),
          active: params.active ?? true,
          interval: params.recurring?.interval ?? 'month',
          metadata: changeMetadata({}, params.metadata),
          ...(params.product === undefined ? {} : { product: params.product }),
        }),
      );
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/prices',
    params: listFilters,
    run: (store, params) => {
      const prices = [...store.prices.values()].filter(
        (price) =>
          (params.active === undefined || price.active === params.active) &&
          (params.lookup_keys === undefined ||
            params.lookup_keys.includes(price.lookupKey ?? '')) &&
          (params.currency === undefined || price.currency === params.currency) &&
          params.type !== 'one_time',
      );

      return pageOf(prices, params, '/v1/prices', writePrice);
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/prices/:id',
    params: {},
    run: (store, _params, id) =>
      writePrice(requirePrice(store, id, { param: 'price', inPath: true })),
  }),
];
