import { declineError } from './cards.ts';
import { openDispute } from './disputes.ts';
import { noSuch, StripeError } from './errors.ts';
import { choosesMethodTypes, methodTypeParams, removedMethodTypes } from './method-types.ts';
import {
  changeMetadata,
  choice,
  flag,
  identifier,
  integer,
  metadata,
  notModelled,
  object,
  text,
  timeRange,
} from './params.ts';
import { detached, putPaymentMethod, resolvePaymentMethod } from './payment-methods.ts';
import { listParams, pageOf, type StripeObject, stripeRoute } from './route.ts';
import {
  isWithin,
  nowSeconds,
  type PaymentIntent,
  type PaymentMethod,
  randomText,
  requireCustomer,
  type StripeStore,
} from './store.ts';

const authenticationPage = 'https://hooks.stripe.com/3d_secure_2/hosted';
const maximumAmount = 99_999_999;

const createParams = {
  ...methodTypeParams,
  amount: integer(1, maximumAmount),
  automatic_payment_methods: object({
    enabled: flag,
    allow_redirects: choice('always', 'never'),
  }),
  confirm: flag,
  currency: text(3),
  customer: identifier,
  description: text(),
  error_on_requires_action: flag,
  metadata,
  off_session: flag,
  payment_method: identifier,
  return_url: text(),
  statement_descriptor_suffix: text(22),
  capture_method: notModelled,
  confirmation_method: notModelled,
  confirmation_token: notModelled,
  customer_account: notModelled,
  mandate: notModelled,
  payment_method_data: notModelled,
  payment_method_options: notModelled,
  receipt_email: notModelled,
  setup_future_usage: notModelled,
  shipping: notModelled,
  transfer_data: notModelled,
  amount_details: notModelled,
  application_fee_amount: notModelled,
  excluded_payment_method_types: notModelled,
  hooks: notModelled,
  mandate_data: notModelled,
  on_behalf_of: notModelled,
  payment_details: notModelled,
  payment_method_configuration: notModelled,
  radar_options: notModelled,
  statement_descriptor: notModelled,
  transfer_group: notModelled,
  use_stripe_sdk: notModelled,
};

/** Formats a payment intent as Stripe does. */
export function writePaymentIntent(intent: PaymentIntent): StripeObject {
  const succeeded = intent.status === 'succeeded';

  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: intent.allowedTypes,
    amount: intent.amount,
    amount_capturable: 0,
    amount_received: succeeded ? intent.amount : 0,
    application: null,
    automatic_payment_methods: intent.automatic
      ? { allow_redirects: 'never', enabled: true }
      : null,
    canceled_at: intent.canceledAt,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: intent.clientSecret,
    confirmation_method: 'automatic',
    created: intent.created,
    currency: intent.currency,
    customer: intent.customer,
    customer_account: null,
    description: intent.description,
    last_payment_error: intent.lastPaymentError,
    latest_charge: intent.latestCharge,
    livemode: false,
    metadata: intent.metadata,
    next_action:
      intent.status === 'requires_action'
        ? {
            type: 'redirect_to_url',
            redirect_to_url: { return_url: null, url: authenticationPage },
          }
        : null,
    on_behalf_of: null,
    payment_method: intent.paymentMethod,
    payment_method_types: ['card'],
    processing: null,
    receipt_email: null,
    setup_future_usage: null,
    shipping: null,
    statement_descriptor: null,
    status: intent.status,
  };
}

export const paymentIntentRoutes = [
  stripeRoute({
    method: 'POST',
    path: '/v1/payment_intents',
    params: createParams,
    removed: removedMethodTypes,
    required: ['amount', 'currency'],
    run: (store, params) => {
      const intent = newIntent(store, {
        amount: params.amount ?? 0,
        currency: (params.currency ?? '').toLowerCase(),
        customer:
          params.customer === undefined
            ? null
            : requireCustomer(store, params.customer, { param: 'customer', inPath: false }).id,
        description: params.description ?? null,
        metadata: changeMetadata({}, params.metadata),
        automatic: choosesMethodTypes(params),
        allowedTypes: params.allowed_payment_method_types ?? null,
      });
      const method =
        params.payment_method === undefined
          ? undefined
          : usableMethod(store, params.payment_method, intent.customer);
      const updated = { ...intent, ...withMethod(method) };
      store.paymentIntents.set(updated.id, updated);
      store.emit('payment_intent.created', writePaymentIntent(updated));

      return params.confirm === true
        ? confirm(store, updated, method, {
            offSession: params.off_session === true,
            failOnAction: params.error_on_requires_action === true,
          })
        : writePaymentIntent(updated);
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/payment_intents',
    params: { ...listParams, created: timeRange, customer: identifier, customer_account: text() },
    run: (store, params) => {
      const intents = [...store.paymentIntents.values()].filter(
        (intent) =>
          (params.customer === undefined || intent.customer === params.customer) &&
          isWithin(intent.created, params.created ?? {}),
      );

      return pageOf(intents, params, '/v1/payment_intents', writePaymentIntent);
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/payment_intents/:id',
    params: { client_secret: text() },
    run: (store, _params, id) => writePaymentIntent(requireIntent(store, id)),
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/payment_intents/:id/confirm',
    params: {
      error_on_requires_action: flag,
      off_session: flag,
      payment_method: identifier,
      return_url: text(),
    },
    run: (store, params, id) => {
      const intent = requireIntent(store, id);
      requireOpen(intent, 'confirm');
      const methodId = params.payment_method ?? intent.paymentMethod ?? undefined;
      const method =
        methodId === undefined ? undefined : usableMethod(store, methodId, intent.customer);

      return confirm(store, { ...intent, ...withMethod(method) }, method, {
        offSession: params.off_session === true,
        failOnAction: params.error_on_requires_action === true,
      });
    },
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/payment_intents/:id/cancel',
    params: {
      cancellation_reason: choice('duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'),
    },
    run: (store, _params, id) => {
      const intent = requireIntent(store, id);
      requireOpen(intent, 'cancel');
      const canceled: PaymentIntent = {
        ...intent,
        status: 'canceled',
        canceledAt: nowSeconds(store),
      };
      store.paymentIntents.set(id, canceled);
      store.emit('payment_intent.canceled', writePaymentIntent(canceled));

      return writePaymentIntent(canceled);
    },
  }),
];

type Manner = { readonly offSession: boolean; readonly failOnAction: boolean };

const authenticationRequired = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

/** Charges the card once. */
function confirm(
  store: StripeStore,
  intent: PaymentIntent,
  method: PaymentMethod | undefined,
  { offSession, failOnAction }: Manner,
): StripeObject {
  if (method === undefined) {
    throw unexpectedState(intent, 'confirm', 'is missing a payment method');
  }
  const decline = method.behavior.decline ?? method.behavior.chargeDecline;
  if (decline !== undefined) {
    throw recordDecline(store, intent, method, decline);
  }
  if (method.behavior.needsAuthentication === true) {
    if (offSession || failOnAction) {
      throw recordDecline(store, intent, method, authenticationRequired);
    }
    const waiting: PaymentIntent = { ...intent, status: 'requires_action' };
    store.paymentIntents.set(intent.id, waiting);
    store.emit('payment_intent.requires_action', writePaymentIntent(waiting));

    return writePaymentIntent(waiting);
  }
  // A payment method without a customer can only be used for one payment.
  putPaymentMethod(store, method.customer === null ? detached(method) : method);

  return writePaymentIntent(succeed(store, intent, method));
}

function succeed(store: StripeStore, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const paid: PaymentIntent = {
    ...intent,
    status: 'succeeded',
    lastPaymentError: null,
    latestCharge: `ch_3${randomText(23)}`,
  };
  store.paymentIntents.set(paid.id, paid);
  store.emit('payment_intent.succeeded', writePaymentIntent(paid));
  const { dispute } = method.behavior;
  if (dispute !== undefined) {
    openDispute(store, paid, dispute);
  }

  return paid;
}

/** Charges a card for an invoice. The caller has checked the card. */
export function payByIntent(
  store: StripeStore,
  method: PaymentMethod,
  what: Pick<PaymentIntent, 'amount' | 'currency' | 'customer' | 'description'>,
): PaymentIntent {
  const intent = newIntent(store, {
    ...what,
    metadata: {},
    automatic: false,
    allowedTypes: null,
  });

  return succeed(store, { ...intent, paymentMethod: method.id }, method);
}

type Decline = Parameters<typeof declineError>[0];

function recordDecline(
  store: StripeStore,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline,
): StripeError {
  putPaymentMethod(store, method);
  const refused: PaymentIntent = {
    ...intent,
    status: 'requires_payment_method',
    paymentMethod: null,
    lastPaymentError: {
      code: decline.code,
      ...(decline.declineCode === undefined ? {} : { decline_code: decline.declineCode }),
      message: decline.message,
      type: 'card_error',
    },
  };
  store.paymentIntents.set(refused.id, refused);
  store.emit('payment_intent.payment_failed', writePaymentIntent(refused));

  return declineError(decline, { payment_intent: writePaymentIntent(refused) });
}

/** A payment method of another customer can't be used. One without a customer can. */
function usableMethod(store: StripeStore, id: string, customer: string | null): PaymentMethod {
  const method = resolvePaymentMethod(store, id, { param: 'payment_method', inPath: false });
  if (method.customer !== null && method.customer !== customer) {
    throw new StripeError(
      400,
      customer === null
        ? 'The PaymentMethod supplied belongs to a Customer. Please include the Customer in the `customer` parameter.'
        : 'The customer does not have a payment method with the ID '.concat(
            id,
            '. The payment method must be attached to the customer.',
          ),
      { param: 'payment_method' },
    );
  }
  if (method.spent) {
    throw new StripeError(
      400,
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again.',
      { param: 'payment_method' },
    );
  }

  return method;
}

function withMethod(
  method: PaymentMethod | undefined,
): Partial<Pick<PaymentIntent, 'paymentMethod' | 'status'>> {
  return method === undefined ? {} : { paymentMethod: method.id, status: 'requires_confirmation' };
}

function newIntent(
  store: StripeStore,
  fields: Pick<
    PaymentIntent,
    'amount' | 'currency' | 'customer' | 'description' | 'metadata' | 'automatic' | 'allowedTypes'
  >,
): PaymentIntent {
  const id = `pi_3${randomText(23)}`;

  return {
    ...fields,
    id,
    created: nowSeconds(store),
    clientSecret: `${id}_secret_${randomText(25)}`,
    paymentMethod: null,
    status: 'requires_payment_method',
    lastPaymentError: null,
    latestCharge: null,
    canceledAt: null,
  };
}

export function requireIntent(store: StripeStore, id: string): PaymentIntent {
  const intent = store.paymentIntents.get(id);
  if (intent === undefined) {
    throw noSuch('payment_intent', id, { param: 'intent', inPath: true });
  }

  return intent;
}

function requireOpen(intent: PaymentIntent, verb: string): void {
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    throw unexpectedState(intent, verb, `has a status of ${intent.status}`);
  }
}

function unexpectedState(intent: PaymentIntent, verb: string, reason: string): StripeError {
  return new StripeError(400, `You cannot ${verb} this PaymentIntent because it ${reason}.`, {
    code: 'payment_intent_unexpected_state',
    extra: { payment_intent: writePaymentIntent(intent) },
  });
}
