import { changePlan } from '#lib/features/billing/subscriptions/change-plan.ts';
import { presentSubscription } from '#lib/features/billing/subscriptions/subscription-record.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/billing-subscription.ts';

export const handler = endpoint(
  contracts.changePlan,
  async ({ organizationId, caller, body: { planId } }) => ({
    subscription: presentSubscription(await changePlan(organizationId, caller.userId, planId)),
  }),
);
