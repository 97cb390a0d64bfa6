import { resumeSubscription as resume } from '#lib/billing/change-subscription.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { resumeSubscription } from '#schemas/billing-subscription.ts';

export const handler = endpoint(resumeSubscription, async ({ organizationId, caller }) => {
  await resume(organizationId, caller.userId);

  return { message: 'Subscription resumed successfully' };
});
