import { listCards } from '#lib/features/billing/payment-methods.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listPaymentMethods } from '#schemas/billing-subscription.ts';

export const handler = endpoint(listPaymentMethods, async ({ organizationId }) => {
  const { methods, defaultId = null } = await listCards(organizationId);

  return {
    paymentMethods: methods.map((method) => ({ ...method, isDefault: method.id === defaultId })),
    defaultPaymentMethodId: defaultId,
    total: methods.length,
  };
});
