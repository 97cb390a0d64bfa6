import { dollarsOf } from '#lib/features/billing/money.ts';
import { purchaseCredits } from '#lib/features/billing/payments/purchase-credits.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/billing.ts';

export const handler = endpoint(contracts.purchaseCredits, async (request) => {
  const { organizationId, caller, body, intent } = request;
  const purchase = { ...body, intent };
  const { paymentId, amountCents, credits } = await purchaseCredits(
    organizationId,
    caller.userId,
    purchase,
  );

  return {
    transaction: {
      id: paymentId,
      amount: dollarsOf(amountCents),
      credits,
      status: 'succeeded' as const,
    },
  };
});
