import Stripe from 'stripe';

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
