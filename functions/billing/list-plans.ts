import { listPlans, presentPlan } from '#lib/features/billing/subscriptions/plans.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/billing-subscription.ts';

export const handler = endpoint(contracts.listPlans, async () => {
  const plans = listPlans().map((plan) => ({
    ...presentPlan(plan),
    monthlyCredits: plan.monthlyCredits,
    trialDays: plan.trialDays,
  }));

  return { plans, total: plans.length };
});
