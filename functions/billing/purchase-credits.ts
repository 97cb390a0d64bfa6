import { dollarsOf } from '#lib/billing/money.ts';
import { purchaseCredits } from '#lib/billing/purchase-credits.ts';
import { endpoint } from '#lib/http/endpoint.ts';
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
    message: 'Credits purchased successfully',
  };
});
