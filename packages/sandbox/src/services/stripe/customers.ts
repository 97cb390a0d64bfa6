import {
  changeMetadata,
  clearableObject,
  clearableText,
  email,
  identifier,
  list,
  metadata,
  notModelled,
  object,
  type Params,
  text,
  timeRange,
} from './params.ts';
import {
  attachedTo,
  detached,
  methodsOf,
  putPaymentMethod,
  resolvePaymentMethod,
} from './payment-methods.ts';
import { listParams, pageOf, type StripeObject, stripeRoute } from './route.ts';
import {
  type Customer,
  isWithin,
  nowSeconds,
  type PaymentMethod,
  randomText,
  requireAttached,
  requireCustomer,
  type StripeStore,
} from './store.ts';
import { endSubscription } from './subscriptions.ts';

const addressText = clearableText();
const changeable = {
  address: clearableObject({
    city: addressText,
    country: addressText,
    line1: addressText,
    line2: addressText,
    postal_code: addressText,
    state: addressText,
  }),
  description: clearableText(),
  email,
  invoice_settings: object({
    default_payment_method: clearableText(),
    custom_fields: notModelled,
    footer: notModelled,
    rendering_options: notModelled,
  }),
  metadata,
  name: clearableText(256),
  phone: clearableText(20),
  preferred_locales: list(text()),
  balance: notModelled,
  business_name: notModelled,
  cash_balance: notModelled,
  individual_name: notModelled,
  invoice_prefix: notModelled,
  next_invoice_sequence: notModelled,
  shipping: notModelled,
  source: notModelled,
  tax: notModelled,
  tax_exempt: notModelled,
  validate: notModelled,
};
const noAddress = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
};
const pathId = { param: 'id', inPath: true };

/** Formats a customer as Stripe does. */
export function writeCustomer(customer: Customer): StripeObject {
  if (customer.deleted) {
    return { id: customer.id, object: 'customer', deleted: true };
  }

  return {
    id: customer.id,
    object: 'customer',
    address: customer.address,
    balance: 0,
    created: customer.created,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: customer.description,
    discount: null,
    email: customer.email,
    invoice_prefix: customer.invoicePrefix,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: customer.defaultPaymentMethod,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: customer.metadata,
    name: customer.name,
    next_invoice_sequence: 1,
    phone: customer.phone,
    preferred_locales: customer.preferredLocales,
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}

export const customerRoutes = [
  stripeRoute({
    method: 'POST',
    path: '/v1/customers',
    params: {
      ...changeable,
      payment_method: identifier,
      tax_id_data: notModelled,
      test_clock: notModelled,
    },
    run: createCustomer,
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/customers',
    params: { ...listParams, created: timeRange, email: text(512), test_clock: notModelled },
    run: (store, params) => {
      const customers = [...store.customers.values()].filter(
        (customer) =>
          !customer.deleted &&
          (params.email === undefined || customer.email === params.email) &&
          isWithin(customer.created, params.created ?? {}),
      );

      return pageOf(customers, params, '/v1/customers', writeCustomer);
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/customers/:id',
    params: {},
    run: (store, _params, id) =>
      writeCustomer(store.customers.get(id) ?? requireCustomer(store, id, pathId)),
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/customers/:id',
    params: { ...changeable, default_source: notModelled },
    run: (store, params, id) => {
      const changed = applyChange(requireCustomer(store, id, pathId), params);
      const wanted = params.invoice_settings?.default_payment_method;

      if (typeof wanted === 'string') {
        requireAttached(store, wanted, id);
      }

      store.customers.set(id, changed);

      return writeCustomer(changed);
    },
  }),
  stripeRoute({
    method: 'DELETE',
    path: '/v1/customers/:id',
    params: {},
    run: (store, _params, id) => {
      const gone = { ...requireCustomer(store, id, pathId), deleted: true };
      store.customers.set(id, gone);

      for (const subscription of store.subscriptions.values()) {
        if (subscription.customer === id && subscription.endedAt === null) {
          endSubscription(store, subscription);
        }
      }

      for (const method of methodsOf(store, id)) {
        putPaymentMethod(store, detached(method));
      }

      return writeCustomer(gone);
    },
  }),
];

/** Atomic: if the payment method can't be attached, no customer is created. */
function createCustomer(
  store: StripeStore,
  params: Params<typeof changeable> & { readonly payment_method?: string },
): StripeObject {
  const id = `cus_${randomText(14)}`;
  const method =
    params.payment_method === undefined
      ? undefined
      : attachedTo(
          resolvePaymentMethod(store, params.payment_method, {
            param: 'payment_method',
            inPath: false,
          }),
          id,
        );
  const customer = {
    ...applyChange(newCustomer(store, id), params),
    defaultPaymentMethod: firstDefault(store, id, params, method),
  };
  store.customers.set(id, customer);

  if (method !== undefined) {
    putPaymentMethod(store, method);
  }

  return writeCustomer(customer);
}

function firstDefault(
  store: StripeStore,
  customer: string,
  params: Params<typeof changeable> & { readonly payment_method?: string },
  method: PaymentMethod | undefined,
): string | null {
  const wanted = params.invoice_settings?.default_payment_method ?? null;

  if (wanted === null) {
    return null;
  }

  // A test id that is passed in both places is the same payment method.
  return wanted === params.payment_method && method !== undefined
    ? method.id
    : requireAttached(store, wanted, customer).id;
}

function newCustomer(store: StripeStore, id: string): Customer {
  return {
    id,
    created: nowSeconds(store),
    deleted: false,
    address: null,
    description: null,
    email: null,
    name: null,
    phone: null,
    preferredLocales: [],
    metadata: {},
    defaultPaymentMethod: null,
    invoicePrefix: randomText(8).toUpperCase(),
  };
}

function applyChange(before: Customer, params: Params<typeof changeable>): Customer {
  const {
    address,
    description = before.description,
    email: mailAddress = before.email,
    name = before.name,
    phone = before.phone,
    preferred_locales: preferredLocales = before.preferredLocales,
    invoice_settings: settings,
  } = params;

  return {
    ...before,
    address: address === undefined ? before.address : address && { ...noAddress, ...address },
    description,
    email: mailAddress,
    name,
    phone,
    preferredLocales,
    metadata: changeMetadata(before.metadata, params.metadata),
    defaultPaymentMethod:
      settings?.default_payment_method === undefined
        ? before.defaultPaymentMethod
        : settings.default_payment_method,
  };
}
