import type Stripe from 'stripe';
import { config } from '#lib/platform/config.ts';
import { upstream } from '#lib/platform/errors/failures.ts';
import {
  IdempotencyKeyUsedError,
  ResourceMissingError,
  UnknownPaymentMethodError,
} from './payment-errors.ts';
import { callProvider, needsAction } from './stripe-client.ts';

/** A card that can be charged. */
export type Card = { readonly id: string; readonly brand: string; readonly last4: string };

export type Charge = {
  /** Our id. The provider charges only once for an id, however often it is requested. */
  readonly paymentId: string;
  readonly organizationId: string;
  readonly customerId: string;
  readonly paymentMethodId: string;
  readonly amountCents: number;
  readonly description: string;
  /** True if the customer is not present to authenticate the payment. */
  readonly isUnattended: boolean;
};

/** The state of a payment at the provider. `open`: it may still succeed or fail. */
export type PaymentState = {
  readonly intentId: string;
  readonly status: 'succeeded' | 'failed' | 'open';
  /** The provider's reason for the failure. */
  readonly reason?: string;
  /** True if the customer would have to confirm the payment. */
  readonly needsAction?: boolean;
};

const keyOf = (paymentId: string) => `payment-${paymentId}`;
const abandoned = 'The payment was never made';

/**
 * Charges a card. `succeeded` means that the money was transferred.
 *
 * @throws CardDeclinedError if it was not, also if the customer would have to authenticate; a 502
 * if the outcome is unknown.
 */
export async function chargeCard(charge: Charge): Promise<PaymentState> {
  try {
    const intent = await callProvider((stripe) =>
      stripe.paymentIntents.create(paramsOf(charge), {
        idempotencyKey: keyOf(charge.paymentId),
        timeout: (config.paymentTimeoutMs * 3) / 4,
      }),
    );

    return stateOf(intent);
  } catch (failure) {
    throw failure instanceof IdempotencyKeyUsedError ? upstream('payment', failure) : failure;
  }
}

function paramsOf(charge: Charge): Stripe.PaymentIntentCreateParams {
  const { customerId, paymentMethodId, amountCents, description, isUnattended } = charge;

  return {
    amount: amountCents,
    currency: 'usd',
    customer: customerId,
    payment_method: paymentMethodId,
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    ...(isUnattended ? { off_session: true } : { error_on_requires_action: true }),
    description,
    metadata: metadataOf(charge),
  };
}

function metadataOf({ organizationId, paymentId }: PaymentName) {
  return { organization_id: organizationId, payment_id: paymentId };
}

function stateOf(intent: Stripe.PaymentIntent): PaymentState {
  const { id: intentId, status, last_payment_error: refusal } = intent;
  if (status === 'succeeded') {
    return { intentId, status: 'succeeded' };
  }
  const isOver =
    status === 'canceled' || status === 'requires_payment_method' || status === 'requires_action';

  return {
    intentId,
    status: isOver ? 'failed' : 'open',
    ...(refusal?.message ? { reason: refusal.message } : {}),
    ...(needsAction(refusal?.code) || status === 'requires_action' ? { needsAction: true } : {}),
  };
}

export type PaymentName = { readonly organizationId: string; readonly paymentId: string };

export type PaymentSearch = PaymentName & {
  readonly customerId: string;
  /** The time of our request, in milliseconds since the epoch. */
  readonly askedAtMs: number;
};

/** Tolerance for the difference between the provider's clock and ours. */
const clockSkewSeconds = 300;

/**
 * Finds the outcome of a payment whose request got no response. If the provider does not know the
 * payment, this uses up its idempotency key, so that a request that is still in flight cannot
 * charge anything.
 */
export async function resolvePayment(search: PaymentSearch): Promise<PaymentState> {
  const known = await findPayment(search);
  if (known) {
    return known.status === 'open' ? closeIfPossible(known) : known;
  }
  const spent = await useUpKey(search);

  return spent ?? { intentId: '', status: 'open' };
}

async function findPayment(search: PaymentSearch): Promise<PaymentState | undefined> {
  const { customerId, paymentId, askedAtMs } = search;
  const since = Math.floor(askedAtMs / 1_000) - clockSkewSeconds;

  return callProvider(async (stripe) => {
    const intents = stripe.paymentIntents.list({
      customer: customerId,
      created: { gte: since },
      limit: 100,
    });
    for await (const intent of intents) {
      if (intent.metadata.payment_id === paymentId) {
        return stateOf(intent);
      }
    }

    return undefined;
  });
}

/** Cancels a payment that was never confirmed. A payment that is being processed stays open. */
async function closeIfPossible(state: PaymentState): Promise<PaymentState> {
  const intent = await callProvider((stripe) => stripe.paymentIntents.retrieve(state.intentId));
  if (intent.status !== 'requires_confirmation') {
    return stateOf(intent);
  }

  return stateOf(await callProvider((stripe) => stripe.paymentIntents.cancel(state.intentId)));
}

/**
 * Uses the payment's idempotency key for a payment that is never confirmed, and cancels that
 * payment. `undefined`: the key is already used, so the original payment has reached the provider.
 */
async function useUpKey(search: PaymentSearch): Promise<PaymentState | undefined> {
  try {
    const { id } = await callProvider((stripe) =>
      stripe.paymentIntents.create(
        {
          amount: 500,
          currency: 'usd',
          customer: search.customerId,
          description: abandoned,
          metadata: { ...metadataOf(search), abandoned: 'true' },
        },
        { idempotencyKey: keyOf(search.paymentId) },
      ),
    );
    await callProvider((stripe) => stripe.paymentIntents.cancel(id));

    return { intentId: id, status: 'failed' };
  } catch (failure) {
    if (failure instanceof IdempotencyKeyUsedError) {
      return undefined;
    }
    throw failure;
  }
}

/** Returns the payment with our ids, or `undefined` if it does not exist. */
export async function readPayment(
  intentId: string,
): Promise<(PaymentState & Partial<PaymentName>) | undefined> {
  try {
    const intent = await callProvider((stripe) => stripe.paymentIntents.retrieve(intentId));

    const { organization_id: organizationId, payment_id: paymentId } = intent.metadata;

    return {
      ...stateOf(intent),
      ...(organizationId ? { organizationId } : {}),
      ...(paymentId ? { paymentId } : {}),
    };
  } catch (failure) {
    if (failure instanceof ResourceMissingError) {
      return undefined;
    }
    throw failure;
  }
}

/** Codes for money that was already returned, by another refund or a dispute. */
const alreadyReturned: ReadonlySet<unknown> = new Set([
  'charge_already_refunded',
  'charge_disputed',
]);

/** Refunds a payment that can no longer be credited to anyone. Idempotent. */
export async function refundPayment(intentId: string): Promise<void> {
  await callProvider(async (stripe) => {
    try {
      await stripe.refunds.create(
        { payment_intent: intentId },
        { idempotencyKey: `refund-${intentId}` },
      );
    } catch (failure) {
      const { code } = failure as Partial<Stripe.errors.StripeError>;
      if (!alreadyReturned.has(code)) {
        throw failure;
      }
    }
  });
}

/**
 * Returns a card of the customer.
 *
 * @throws UnknownPaymentMethodError if it does not exist or belongs to another customer.
 */
export async function requireCard(customerId: string, paymentMethodId: string): Promise<Card> {
  const method = await callProvider((stripe) =>
    stripe.customers.retrievePaymentMethod(customerId, paymentMethodId, undefined, {
      timeout: config.paymentTimeoutMs / 2,
      maxNetworkRetries: 0,
    }),
  );

  return cardOf(method);
}

export async function findDefaultCard(customerId: string): Promise<Card | undefined> {
  const customer = await callProvider((stripe) =>
    stripe.customers.retrieve(customerId, {
      expand: ['invoice_settings.default_payment_method'],
    }),
  );
  if (customer.deleted) {
    return undefined;
  }
  const method = customer.invoice_settings.default_payment_method;

  return method && typeof method !== 'string' ? cardOf(method) : undefined;
}

function cardOf({ id, card }: Stripe.PaymentMethod): Card {
  if (!card) {
    throw new UnknownPaymentMethodError(new Error('It is no card'));
  }

  return { id, brand: card.brand, last4: card.last4 };
}
