import { pauseSubscription as pause } from '#lib/billing/change-subscription.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { pauseSubscription } from '#schemas/billing-subscription.ts';

export const handler = endpoint(pauseSubscription, async (request) => {
  const { organizationId, caller, intent, once } = request;
  await once((alongside) => pause(organizationId, caller.userId, intent, alongside));

  return { message: 'Subscription paused successfully' };
});
