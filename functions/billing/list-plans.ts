import { presentPlan, listPlans as readCatalogue } from '#lib/billing/plans.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listPlans } from '#schemas/billing-subscription.ts';

export const handler = endpoint(listPlans, async () => ({
  plans: readCatalogue().map((plan) => ({
    ...presentPlan(plan),
    monthlyCredits: plan.monthlyCredits,
    trialDays: plan.trialDays,
  })),
  message: 'Plans retrieved successfully',
}));
