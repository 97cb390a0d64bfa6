import { previewPlanChange } from '#lib/features/billing/subscriptions/preview-plan-change.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/billing-subscription.ts';

export const handler = endpoint(contracts.previewPlanChange, async ({ organizationId, query }) => {
  const { amountCents, ...preview } = await previewPlanChange(organizationId, query.planId);

  return { preview: { ...preview, amount: amountCents, currency: 'usd' } };
});
