import { endpoint } from '#lib/http/endpoint.ts';
import { recordActivity } from '#lib/leads/activities.ts';
import { createLeadActivity } from '#schemas/leads.ts';

export const handler = endpoint(createLeadActivity, async ({ organizationId, params, body }) => {
  const activity = await recordActivity(organizationId, params.lead_id, body);

  return { activity, message: 'Activity created successfully' };
});
