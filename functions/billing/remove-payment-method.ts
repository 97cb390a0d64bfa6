import { removeCard } from '#lib/features/billing/payment-methods.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { removePaymentMethod } from '#schemas/billing-subscription.ts';

export const handler = endpoint(
  removePaymentMethod,
  async ({ organizationId, caller, params, intent }) => {
    await removeCard(organizationId, caller.userId, intent, params.payment_method_id);
  },
);
