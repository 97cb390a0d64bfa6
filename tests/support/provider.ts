import Stripe from 'stripe';
import { sandbox } from './mails.ts';

function connect(): Stripe {
  const { hostname, port } = new URL(String(process.env.STRIPE_API_BASE));

  return new Stripe('sk_test_sandbox', { host: hostname, port, protocol: 'http' });
}

/** The payment provider as the tests see it, past the service. */
export const provider = connect();

/** The customers of an address at the provider, in any letter case. */
export async function customersOf(email: string): Promise<readonly Stripe.Customer[]> {
  const customers: Stripe.Customer[] = [];
  for await (const customer of provider.customers.list({ limit: 100 })) {
    if (customer.email?.toLowerCase() === email.toLowerCase()) {
      customers.push(customer);
    }
  }

  return customers;
}

/** The provider makes no customer any more, as if it did not take this address. */
export async function refuseAddress(email: string): Promise<void> {
  await sandbox.addFault({
    service: 'stripe',
    method: 'POST',
    path: '^/v1/customers$',
    mode: 'error',
    status: 400,
    body: {
      error: {
        type: 'invalid_request_error',
        code: 'email_invalid',
        param: 'email',
        message: `Invalid email address: ${email}`,
      },
    },
  });
}
