import { resumeSubscription as resume } from '#lib/billing/change-subscription.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { resumeSubscription } from '#schemas/billing-subscription.ts';

export const handler = endpoint(resumeSubscription, async (request) => {
  const { organizationId, caller, intent, once } = request;
  await once((alongside) => resume(organizationId, caller.userId, intent, alongside));

  return { message: 'Subscription resumed successfully' };
});
