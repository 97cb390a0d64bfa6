import Stripe from 'stripe';
import { sandbox } from './mails.ts';

function connect(): Stripe {
  const { hostname, port } = new URL(String(process.env.STRIPE_API_BASE));

  return new Stripe('sk_test_sandbox', { host: hostname, port, protocol: 'http' });
}

/** Direct access to the payment provider, without the service. */
export const provider = connect();

/** Returns the provider's customers with an address, ignoring case. */
export async function customersOf(email: string): Promise<readonly Stripe.Customer[]> {
  const customers: Stripe.Customer[] = [];
  for await (const customer of provider.customers.list({ limit: 100 })) {
    if (customer.email?.toLowerCase() === email.toLowerCase()) {
      customers.push(customer);
    }
  }

  return customers;
}

/** Makes the provider reject new customers, as if it did not accept the address. */
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
