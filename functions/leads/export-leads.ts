import { auditExport, exportLeads } from '#lib/features/leads/export-leads.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.exportLeads,
  async ({ organizationId, caller, params, query, event, reply }) => {
    const { limit, cursor, ...filters } = query;
    const { csv, leads, nextCursor } = await exportLeads(organizationId, filters, {
      limit,
      cursor,
    });
    await auditExport(organizationId, caller.userId, leads);
    if (nextCursor !== null) {
      const next = new URLSearchParams({ ...event.queryStringParameters, cursor: nextCursor });
      const path = contracts.exportLeads.path.replace('{organization_id}', params.organization_id);
      reply.header('link', `<${path}?${next}>; rel="next"`);
    }

    return {
      statusCode: 200,
      headers: {
        'content-type': contracts.exportLeads.contentType,
        'content-disposition': `attachment; filename="leads-${timestamp().slice(0, 10)}.csv"`,
      },
      body: csv,
    };
  },
);
