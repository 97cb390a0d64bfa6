import { endpoint } from '#lib/http/endpoint.ts';
import { listLeads as readLeads } from '#lib/leads/list-leads.ts';
import { listLeads } from '#schemas/leads.ts';

export const handler = endpoint(listLeads, async ({ organizationId, query }) => {
  const { page, limit, cursor, ...filters } = query;
  const found = await readLeads(organizationId, filters, { page, limit, cursor });

  return { ...found, message: 'Leads retrieved successfully' };
});
