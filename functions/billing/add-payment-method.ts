import { addCard } from '#lib/features/billing/payment-methods.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { addPaymentMethod } from '#schemas/billing-subscription.ts';

export const handler = endpoint(addPaymentMethod, async (request) => {
  const { organizationId, caller, body, intent, idempotently } = request;
  const { id, card } = await idempotently((extraWrites) =>
    addCard(organizationId, caller.userId, intent, body.paymentMethodId, extraWrites),
  );
  const { brand, last4, expiryMonth, expiryYear } = card;

  return {
    paymentMethodId: id,
    brand,
    last4,
    expiryMonth,
    expiryYear,
    isDefault: true,
  };
});
