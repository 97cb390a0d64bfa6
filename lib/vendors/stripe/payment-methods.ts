import type Stripe from 'stripe';
import { UnknownPaymentMethodError } from './payment-errors.ts';
import { callProvider } from './stripe-client.ts';

type Address = Readonly<
  Record<'city' | 'country' | 'line1' | 'line2' | 'postalCode' | 'state', string | null>
>;

/** A customer's card, with the fields that its owner can see. */
export type PaymentMethod = {
  readonly id: string;
  readonly type: string;
  readonly card: {
    readonly brand: string;
    readonly last4: string;
    readonly expiryMonth: number;
    readonly expiryYear: number;
    readonly funding: string;
    readonly country: string | null;
  };
  readonly billingDetails: {
    readonly name: string | null;
    readonly email: string | null;
    readonly phone: string | null;
    readonly address: Address;
  };
  readonly created: string;
};

/**
 * Attaches a payment method to a customer. Idempotent.
 *
 * @throws CardDeclinedError; UnknownPaymentMethodError, also if it belongs to another customer.
 */
export async function attachPaymentMethod(
  customerId: string,
  paymentMethodId: string,
): Promise<PaymentMethod> {
  return methodOf(
    await callProvider((stripe) =>
      stripe.paymentMethods.attach(paymentMethodId, { customer: customerId }),
    ),
  );
}

/** Permanently detaches a card from its customer. Idempotent. */
export async function detachPaymentMethod(paymentMethodId: string): Promise<void> {
  try {
    await callProvider((stripe) => stripe.paymentMethods.detach(paymentMethodId));
  } catch (failure) {
    if (!(failure instanceof UnknownPaymentMethodError)) {
      throw failure;
    }
  }
}

export async function makeDefault(customerId: string, paymentMethodId: string): Promise<void> {
  await callProvider((stripe) =>
    stripe.customers.update(customerId, {
      invoice_settings: { default_payment_method: paymentMethodId },
    }),
  );
}

export type PaymentMethods = {
  /** Newest first. */
  readonly methods: readonly PaymentMethod[];
  readonly defaultId: string | undefined;
};

export async function listPaymentMethods(customerId: string): Promise<PaymentMethods> {
  const [methods, customer] = await Promise.all([
    callProvider(async (stripe) => {
      const found: PaymentMethod[] = [];
      for await (const method of stripe.customers.listPaymentMethods(customerId, {
        type: 'card',
        limit: 100,
      })) {
        found.push(methodOf(method));
      }

      return found;
    }),
    callProvider((stripe) => stripe.customers.retrieve(customerId)),
  ]);
  const chosen = customer.deleted ? null : customer.invoice_settings.default_payment_method;

  return {
    methods,
    defaultId: (typeof chosen === 'string' ? chosen : chosen?.id) ?? undefined,
  };
}

function methodOf({ id, type, card, billing_details, created }: Stripe.PaymentMethod) {
  if (!card) {
    throw new UnknownPaymentMethodError(new Error('It is no card'));
  }
  const { name, email, phone, address } = billing_details;

  return {
    id,
    type,
    card: {
      brand: card.brand,
      last4: card.last4,
      expiryMonth: card.exp_month,
      expiryYear: card.exp_year,
      funding: card.funding,
      country: card.country,
    },
    billingDetails: { name, email, phone, address: addressOf(address) },
    created: new Date(created * 1_000).toISOString(),
  };
}

function addressOf(address: Stripe.Address | null): Address {
  const { city, country, line1, line2, postal_code: postalCode, state } = address ?? {};

  return {
    city: city ?? null,
    country: country ?? null,
    line1: line1 ?? null,
    line2: line2 ?? null,
    postalCode: postalCode ?? null,
    state: state ?? null,
  };
}
