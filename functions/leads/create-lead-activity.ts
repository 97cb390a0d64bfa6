import { recordActivity } from '#lib/features/leads/activities.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createLeadActivity } from '#schemas/leads.ts';

export const handler = endpoint(createLeadActivity, async (request) => {
  const { organizationId, params, body, idempotently } = request;
  const activity = await idempotently((extraWrites) =>
    recordActivity(organizationId, params.lead_id, body, extraWrites),
  );

  return { activity };
});
