import { upstream } from '#lib/platform/errors/failures.ts';
import { findPrice } from '#lib/vendors/stripe/subscriptions.ts';
import type { Plan } from './plans.ts';

/**
 * Requires the provider's price to match the advertised price, so that nobody pays a different one.
 */
export async function requirePriceOf({ lookupKey, amountCents }: Plan): Promise<string> {
  const price = await findPrice(lookupKey);
  if (price?.amountCents !== amountCents || price.currency !== 'usd') {
    throw upstream(
      'payment',
      new Error(`The provider has no active price ${lookupKey} of ${amountCents} cents`),
    );
  }

  return price.priceId;
}
