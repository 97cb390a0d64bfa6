import { cutToLength } from '#lib/platform/characters.ts';
import { callProvider } from './stripe-client.ts';

/** The provider refuses a longer one. */
const maxNameLength = 256;

export type NewCustomer = {
  readonly email: string;
  /** Cut where it is longer than the provider takes. */
  readonly name: string;
  /** Attached, and the default for what comes. */
  readonly paymentMethodId?: string;
  /** Names the attempt that makes the customer, so that what it leaves behind can be found. */
  readonly signupAttemptId: string;
};

/**
 * Creates a customer, with a default payment method attached where one is given: in one call, so
 * that the provider makes both or neither.
 *
 * @throws CardRefused, PaymentMethodUnknown, EmailRefused, or a 502.
 */
export async function createCustomer(customer: NewCustomer): Promise<string> {
  const { email, name, paymentMethodId, signupAttemptId } = customer;
  const { id } = await callProvider((stripe) =>
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
      },
      { idempotencyKey: `signup-${signupAttemptId}` },
    ),
  );

  return id;
}

/** Deletes a customer at the provider, with its payment methods and subscriptions. */
export async function deleteCustomer(customerId: string): Promise<void> {
  await callProvider((stripe) => stripe.customers.del(customerId));
}

/** The customers that one signup attempt made: none or one. */
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
 * Begins the collection of a payment method for later, unattended use; once for each intent and
 * customer.
 *
 * @returns the client secret that the browser completes it with.
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
