import { chooseCard } from '#lib/features/billing/payment-methods.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { setDefaultPaymentMethod } from '#schemas/billing-subscription.ts';

export const handler = endpoint(
  setDefaultPaymentMethod,
  async ({ organizationId, caller, params, intent }) => {
    await chooseCard(organizationId, caller.userId, intent, params.payment_method_id);
  },
);
