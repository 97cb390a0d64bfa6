import { type ApiError, badRequest } from '#lib/platform/errors/failures.ts';
import { UnknownPaymentMethodError } from '#lib/vendors/stripe/payment-errors.ts';
import { type Card, requireCard } from '#lib/vendors/stripe/payments.ts';

/**
 * Returns the requested card of the organization.
 *
 * @throws 400 if the card does not exist or belongs to someone else, 502 if the provider is
 *   unavailable.
 */
export async function requireOwnCard(customerId: string, paymentMethodId: string): Promise<Card> {
  try {
    return await requireCard(customerId, paymentMethodId);
  } catch (failure) {
    throw failure instanceof UnknownPaymentMethodError ? cardUnknown() : failure;
  }
}

export function cardUnknown(): ApiError {
  return badRequest('paymentMethodId must be a payment method of this organization');
}
