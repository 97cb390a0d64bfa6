import type { ApiError } from '#lib/platform/errors/api-error.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { PaymentMethodUnknown } from '#lib/vendors/stripe/payment-failures.ts';
import { type Card, requireCard } from '#lib/vendors/stripe/payments.ts';

/**
 * The organization's card that a body names.
 *
 * @throws 400 where it is another one's, or nobody's; 502.
 */
export async function requireOwnCard(customerId: string, paymentMethodId: string): Promise<Card> {
  try {
    return await requireCard(customerId, paymentMethodId);
  } catch (failure) {
    throw failure instanceof PaymentMethodUnknown ? cardUnknown() : failure;
  }
}

export function cardUnknown(): ApiError {
  return badRequest('paymentMethodId must be a payment method of this organization');
}
