import { listLeads } from '#lib/features/leads/list-leads.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(contracts.listLeads, async ({ organizationId, query }) => {
  const { page, limit, cursor, ...filters } = query;
  return listLeads(organizationId, filters, { page, limit, cursor });
});
