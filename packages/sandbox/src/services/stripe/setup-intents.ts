import { declineError } from './cards.ts';
import { noSuch, StripeError } from './errors.ts';
import { choosesMethodTypes, methodTypeParams, removedMethodTypes } from './method-types.ts';
import {
  changeMetadata,
  choice,
  flag,
  identifier,
  metadata,
  notModelled,
  object,
  text,
} from './params.ts';
import { attachedTo, putPaymentMethod, resolvePaymentMethod } from './payment-methods.ts';
import { type StripeObject, stripeRoute } from './route.ts';
import {
  nowSeconds,
  type PaymentMethod,
  randomText,
  requireCustomer,
  type SetupIntent,
  type StripeStore,
} from './store.ts';

const authenticationPage = 'https://hooks.stripe.com/3d_secure_2/hosted';

const createParams = {
  ...methodTypeParams,
  automatic_payment_methods: object({
    enabled: flag,
    allow_redirects: choice('always', 'never'),
  }),
  confirm: flag,
  customer: identifier,
  description: text(),
  metadata,
  payment_method: identifier,
  return_url: text(),
  usage: choice('off_session', 'on_session'),
  attach_to_self: notModelled,
  confirmation_token: notModelled,
  customer_account: notModelled,
  excluded_payment_method_types: notModelled,
  flow_directions: notModelled,
  mandate_data: notModelled,
  on_behalf_of: notModelled,
  payment_method_configuration: notModelled,
  payment_method_data: notModelled,
  payment_method_options: notModelled,
  single_use: notModelled,
  use_stripe_sdk: notModelled,
};

/** Formats a setup intent as Stripe does. */
export function writeSetupIntent(intent: SetupIntent): StripeObject {
  return {
    id: intent.id,
    object: 'setup_intent',
    allowed_payment_method_types: intent.allowedTypes,
    application: null,
    automatic_payment_methods: intent.automatic
      ? { allow_redirects: 'always', enabled: true }
      : null,
    cancellation_reason: null,
    client_secret: intent.clientSecret,
    created: intent.created,
    customer: intent.customer,
    customer_account: null,
    description: intent.description,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
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
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: intent.status,
    usage: intent.usage,
  };
}

export const setupIntentRoutes = [
  stripeRoute({
    method: 'POST',
    path: '/v1/setup_intents',
    params: createParams,
    removed: removedMethodTypes,
    run: (store, params) => {
      const intent = newIntent(store, {
        customer:
          params.customer === undefined
            ? null
            : requireCustomer(store, params.customer, { param: 'customer', inPath: false }).id,
        usage: params.usage ?? 'off_session',
        description: params.description ?? null,
        metadata: changeMetadata({}, params.metadata),
        automatic: choosesMethodTypes(params),
        allowedTypes: params.allowed_payment_method_types ?? null,
      });
      const method =
        params.payment_method === undefined
          ? undefined
          : resolvePaymentMethod(store, params.payment_method, {
              param: 'payment_method',
              inPath: false,
            });

      return params.confirm === true
        ? confirm(store, intent, method)
        : putIntent(store, withMethod(store, intent, method));
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/setup_intents/:id',
    params: { client_secret: text() },
    run: (store, params, id) => writeSetupIntent(requireOpened(store, id, params.client_secret)),
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/setup_intents/:id/confirm',
    params: {
      payment_method: identifier,
      return_url: text(),
      client_secret: text(),
      allowed_payment_method_types: notModelled,
      confirmation_token: notModelled,
      mandate_data: notModelled,
      payment_method_data: notModelled,
      payment_method_options: notModelled,
      use_stripe_sdk: notModelled,
    },
    run: (store, params, id) => {
      const intent = requireOpened(store, id, params.client_secret);
      const methodId = params.payment_method ?? intent.paymentMethod ?? undefined;
      const method =
        methodId === undefined
          ? undefined
          : resolvePaymentMethod(store, methodId, { param: 'payment_method', inPath: false });

      return confirm(store, intent, method);
    },
  }),
];

/**
 * Simulates what the customer's browser does with the client secret: checks and attaches the card.
 */
function confirm(
  store: StripeStore,
  intent: SetupIntent,
  method: PaymentMethod | undefined,
): StripeObject {
  if (intent.status === 'succeeded') {
    throw unexpectedState(intent, 'it has already succeeded');
  }

  if (method === undefined) {
    throw unexpectedState(intent, "it's missing a payment method");
  }

  if (method.behavior.decline !== undefined) {
    throw declineError(method.behavior.decline, { setup_intent: writeSetupIntent(intent) });
  }

  if (method.behavior.needsAuthentication === true) {
    const waiting = withMethod(store, intent, method);

    return putIntent(store, { ...waiting, status: 'requires_action' });
  }

  const attached = intent.customer === null ? method : attachedTo(method, intent.customer);
  putPaymentMethod(store, attached);

  return putIntent(store, { ...intent, paymentMethod: attached.id, status: 'succeeded' });
}

function withMethod(
  store: StripeStore,
  intent: SetupIntent,
  method: PaymentMethod | undefined,
): SetupIntent {
  if (method === undefined) {
    return intent;
  }

  putPaymentMethod(store, method);

  return { ...intent, paymentMethod: method.id, status: 'requires_confirmation' };
}

function newIntent(
  store: StripeStore,
  fields: Pick<
    SetupIntent,
    'customer' | 'usage' | 'description' | 'metadata' | 'automatic' | 'allowedTypes'
  >,
): SetupIntent {
  const id = `seti_1${randomText(23)}`;

  return {
    ...fields,
    id,
    created: nowSeconds(store),
    clientSecret: `${id}_secret_${randomText(31)}`,
    paymentMethod: null,
    status: 'requires_payment_method',
  };
}

function requireIntent(store: StripeStore, id: string): SetupIntent {
  const intent = store.setupIntents.get(id);

  if (intent === undefined) {
    throw noSuch('setupintent', id, { param: 'intent', inPath: true });
  }

  return intent;
}

/** Returns the intent. If a client secret is passed, it must match. */
function requireOpened(store: StripeStore, id: string, clientSecret?: string): SetupIntent {
  const intent = requireIntent(store, id);

  if (clientSecret !== undefined && clientSecret !== intent.clientSecret) {
    throw new StripeError(
      400,
      'The client_secret provided does not match the client_secret associated with the SetupIntent.',
      { param: 'client_secret' },
    );
  }

  return intent;
}

function putIntent(store: StripeStore, intent: SetupIntent): StripeObject {
  store.setupIntents.set(intent.id, intent);

  return writeSetupIntent(intent);
}

function unexpectedState(intent: SetupIntent, reason: string): StripeError {
  return new StripeError(400, `You cannot confirm this SetupIntent because ${reason}.`, {
    code: 'setup_intent_unexpected_state',
    extra: { setup_intent: writeSetupIntent(intent) },
  });
}
