import { dollarsOf } from '#lib/billing/money.ts';
import { purchaseCredits as buy } from '#lib/billing/purchase-credits.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { purchaseCredits } from '#schemas/billing.ts';

export const handler = endpoint(purchaseCredits, async ({ organizationId, caller, body }) => {
  const { paymentId, amountCents, credits } = await buy(organizationId, caller.userId, body);

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
