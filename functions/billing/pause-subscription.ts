import { pauseSubscription as pause } from '#lib/billing/change-subscription.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { pauseSubscription } from '#schemas/billing-subscription.ts';

export const handler = endpoint(pauseSubscription, async ({ organizationId, caller }) => {
  await pause(organizationId, caller.userId);

  return { message: 'Subscription paused successfully' };
});
