import { cutToLength } from '#lib/platform/characters.ts';
import { callProvider } from './stripe-client.ts';

/** Stripe's limit. */
const maxNameLength = 256;

export type NewCustomer = {
  readonly email: string;
  /** Truncated to Stripe's limit. */
  readonly name: string;
  /** Attached to the customer and set as the default payment method. */
  readonly paymentMethodId?: string;
  /** Identifies the signup attempt, so that an orphaned customer can be found. */
  readonly signupAttemptId: string;
};

export type CreatedCustomer = {
  readonly customerId: string;
  /** Identifies the card's number, regardless of the customer it is attached to. */
  readonly cardFingerprint?: string;
};

/**
 * Creates a customer and, if given, attaches a default payment method. It is a single call, so both
 * succeed or both fail.
 *
 * @throws CardDeclinedError, UnknownPaymentMethodError, EmailRejectedError, or a 502.
 */
export async function createCustomer(customer: NewCustomer): Promise<CreatedCustomer> {
  const { email, name, paymentMethodId, signupAttemptId } = customer;
  const { id, invoice_settings: settings } = await callProvider((stripe) =>
    stripe.customers.create(
      {
        email,
        name: cutToLength(name, maxNameLength),
        ...(paymentMethodId
          ? {
              payment_method: paymentMethodId,
              invoice_settings: { default_payment_method: paymentMethodId },
            }
          : {}),
        metadata: { signup_attempt_id: signupAttemptId },
        expand: ['invoice_settings.default_payment_method'],
      },
      { idempotencyKey: `signup-${signupAttemptId}` },
    ),
  );
  const method = settings.default_payment_method;
  const cardFingerprint = typeof method === 'string' ? undefined : method?.card?.fingerprint;

  return { customerId: id, ...(cardFingerprint ? { cardFingerprint } : {}) };
}

/** Deletes a customer, including payment methods and subscriptions. */
export async function deleteCustomer(customerId: string): Promise<void> {
  await callProvider((stripe) => stripe.customers.del(customerId));
}

/** Returns the customers that a signup attempt created: none or one. */
export async function findCustomersOfAttempt(
  email: string,
  signupAttemptId: string,
): Promise<readonly string[]> {
  return callProvider(async (stripe) => {
    const found: string[] = [];
    for await (const customer of stripe.customers.list({ email, limit: 100 })) {
      if (customer.metadata.signup_attempt_id === signupAttemptId) {
        found.push(customer.id);
      }
    }

    return found;
  });
}

/**
 * Creates a SetupIntent that collects a payment method for off-session use. Idempotent for each
 * intent and customer.
 *
 * @returns the client secret with which the browser completes it.
 */
export async function createSetupIntent(
  intentId: string,
  customerId: string | undefined,
): Promise<string> {
  const setup = await callProvider((stripe) =>
    stripe.setupIntents.create(
      { usage: 'off_session', ...(customerId ? { customer: customerId } : {}) },
      { idempotencyKey: `setup-${intentId}-${customerId ?? 'nobody'}` },
    ),
  );
  if (!setup.client_secret) {
    throw new Error('The payment provider answered a setup intent without a client secret');
  }

  return setup.client_secret;
}
