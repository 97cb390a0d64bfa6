import { deleteLead } from '#lib/features/leads/remove-lead.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(contracts.deleteLead, async ({ organizationId, params }) => {
  await deleteLead(organizationId, params.lead_id);
});
