import { cardDetails, declineError, findTestCard } from './cards.ts';
import { noSuch, StripeError } from './errors.ts';
import {
  changeMetadata,
  choice,
  clearableText,
  identifier,
  integer,
  metadata,
  notModelled,
  object,
  text,
} from './params.ts';
import { listParams, pageOf, type StripeObject, stripeRoute } from './route.ts';
import {
  type Customer,
  nowSeconds,
  type PaymentMethod,
  randomText,
  requireCustomer,
  type StripeStore,
} from './store.ts';

type Where = { readonly param: string; readonly inPath: boolean };

const inPath: Where = { param: 'payment_method', inPath: true };
const detailText = clearableText();
const billingDetails = object({
  address: object({
    city: detailText,
    country: detailText,
    line1: detailText,
    line2: detailText,
    postal_code: detailText,
    state: detailText,
  }),
  email: detailText,
  name: detailText,
  phone: detailText,
});
const noDetails = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};
const createParams = {
  type: choice('card'),
  card: object({
    token: identifier,
    number: text(),
    exp_month: integer(1, 12),
    exp_year: integer(1970, 9999),
    cvc: text(),
  }),
  billing_details: billingDetails,
  metadata,
};
const filters = { ...listParams, type: text(), allow_redisplay: notModelled };

/** Formats a payment method as Stripe does. */
export function writePaymentMethod(method: PaymentMethod): StripeObject {
  return {
    id: method.id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: method.billingDetails,
    card: method.card,
    created: method.created,
    customer: method.customer,
    customer_account: null,
    livemode: false,
    metadata: method.metadata,
    type: 'card',
  };
}

/**
 * Returns the payment method with this id. A published test id creates a new payment method on each
 * use, which is not stored until `putPaymentMethod`.
 */
export function resolvePaymentMethod(store: StripeStore, id: string, where: Where): PaymentMethod {
  const stored = store.paymentMethods.get(id);

  if (stored !== undefined) {
    return stored;
  }

  const fresh = id.startsWith('pm_card_') ? fromTestId(store, id) : undefined;

  if (fresh === undefined) {
    throw noSuch('PaymentMethod', id, where);
  }

  return fresh;
}

/** Returns the payment method attached to the customer, without storing it. */
export function attachedTo(method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer === customer) {
    return method;
  }

  if (method.customer !== null) {
    throw new StripeError(
      400,
      'The payment method you provided has already been attached to a customer.',
    );
  }

  if (method.spent) {
    throw new StripeError(
      400,
      'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
    );
  }

  if (method.behavior.decline !== undefined) {
    throw declineError(method.behavior.decline);
  }

  const checks = { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' };

  return { ...method, customer, card: { ...method.card, checks } };
}

/** Detaches a payment method permanently. */
export function detached(method: PaymentMethod): PaymentMethod {
  return { ...method, customer: null, spent: true };
}

export function putPaymentMethod(store: StripeStore, method: PaymentMethod): PaymentMethod {
  store.paymentMethods.set(method.id, method);

  return method;
}

/** Returns the customer's payment methods, oldest first. */
export function methodsOf(store: StripeStore, customer: string): readonly PaymentMethod[] {
  return [...store.paymentMethods.values()].filter((method) => method.customer === customer);
}

export const paymentMethodRoutes = [
  stripeRoute({
    method: 'POST',
    path: '/v1/payment_methods',
    params: createParams,
    required: ['type', 'card'],
    run: (store, params) => {
      const method = {
        ...fromCardParams(store, params.card ?? {}),
        billingDetails: { ...noDetails, ...params.billing_details },
        metadata: changeMetadata({}, params.metadata),
      };

      return writePaymentMethod(putPaymentMethod(store, method));
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/payment_methods',
    params: { ...filters, customer: identifier },
    run: (store, params) => {
      if (params.customer !== undefined) {
        requireCustomer(store, params.customer, { param: 'customer', inPath: false });
      }

      const methods = params.customer === undefined ? [] : methodsOf(store, params.customer);

      return pageOf(
        ofType(methods, params.type),
        params,
        '/v1/payment_methods',
        writePaymentMethod,
      );
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/payment_methods/:id',
    params: {},
    run: (store, _params, id) =>
      writePaymentMethod(putPaymentMethod(store, resolvePaymentMethod(store, id, inPath))),
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/payment_methods/:id',
    params: { billing_details: billingDetails, metadata, allow_redisplay: notModelled },
    run: (store, params, id) => {
      const before = resolvePaymentMethod(store, id, inPath);
      const after = {
        ...before,
        billingDetails: { ...before.billingDetails, ...params.billing_details },
        metadata: changeMetadata(before.metadata, params.metadata),
      };

      return writePaymentMethod(putPaymentMethod(store, after));
    },
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    params: { customer: identifier, customer_account: notModelled },
    required: ['customer'],
    missingMessage: 'Must provide customer or customer_account.',
    run: (store, params, id) => {
      const method = resolvePaymentMethod(store, id, inPath);
      const customer = requireCustomer(store, params.customer ?? '', {
        param: 'customer',
        inPath: false,
      });

      return writePaymentMethod(putPaymentMethod(store, attachedTo(method, customer.id)));
    },
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/payment_methods/:id/detach',
    params: {},
    run: (store, _params, id) => {
      const method = resolvePaymentMethod(store, id, inPath);

      if (method.customer === null) {
        throw new StripeError(
          400,
          'The payment method you provided is not attached to a customer so detachment is impossible.',
        );
      }

      forgetDefault(store, store.customers.get(method.customer), id);

      return writePaymentMethod(putPaymentMethod(store, detached(method)));
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    params: filters,
    run: (store, params, id) => {
      requireCustomer(store, id, { param: 'id', inPath: true });

      return pageOf(
        ofType(methodsOf(store, id), params.type),
        params,
        `/v1/customers/${id}/payment_methods`,
        writePaymentMethod,
      );
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/customers/:customer/payment_methods/:id',
    params: {},
    run: (store, _params, customer, id) => {
      requireCustomer(store, customer, { param: 'id', inPath: true });
      const method = store.paymentMethods.get(id);

      if (method?.customer !== customer) {
        throw noSuch('PaymentMethod', id, inPath);
      }

      return writePaymentMethod(method);
    },
  }),
];

function ofType(
  methods: readonly PaymentMethod[],
  type: string | undefined,
): readonly PaymentMethod[] {
  return type === undefined || type === 'card' ? methods : [];
}

function forgetDefault(store: StripeStore, customer: Customer | undefined, id: string): void {
  if (customer?.defaultPaymentMethod === id) {
    store.customers.set(customer.id, { ...customer, defaultPaymentMethod: null });
  }
}

function fromCardParams(
  store: StripeStore,
  card: { readonly token?: string; readonly number?: string },
): PaymentMethod {
  if (card.token === undefined) {
    throw new StripeError(
      402,
      'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing.',
      { type: 'card_error' },
    );
  }

  const method = card.token.startsWith('tok_') ? fromTestId(store, card.token) : undefined;

  if (method === undefined) {
    throw noSuch('token', card.token, { param: 'card[token]', inPath: false });
  }

  return method;
}

function fromTestId(store: StripeStore, id: string): PaymentMethod | undefined {
  const card = findTestCard(id);

  if (card === undefined) {
    return undefined;
  }

  return {
    id: `pm_1${randomText(23)}`,
    created: nowSeconds(store),
    customer: null,
    spent: false,
    card: cardDetails(card, store.now()),
    billingDetails: noDetails,
    metadata: {},
    behavior: card,
  };
}
