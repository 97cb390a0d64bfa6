import { cancelSubscription as cancel } from '#lib/billing/change-subscription.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { cancelSubscription } from '#schemas/billing-subscription.ts';

export const handler = endpoint(cancelSubscription, async ({ organizationId, caller }) => {
  await cancel(organizationId, caller.userId);

  return { message: 'Subscription will be canceled at the end of the current period' };
});
