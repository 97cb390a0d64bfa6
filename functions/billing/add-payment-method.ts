import { addCard } from '#lib/billing/payment-methods.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { addPaymentMethod } from '#schemas/billing-subscription.ts';

export const handler = endpoint(addPaymentMethod, async ({ organizationId, caller, body }) => {
  const { id, card } = await addCard(organizationId, caller.userId, body.paymentMethodId);
  const { brand, last4, expiryMonth, expiryYear } = card;

  return {
    paymentMethodId: id,
    brand,
    last4,
    expiryMonth,
    expiryYear,
    isDefault: true,
    message: 'Payment method added successfully',
  };
});
