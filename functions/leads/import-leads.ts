import { endpoint } from '#lib/http/endpoint.ts';
import { startImport } from '#lib/leads/import/start-import.ts';
import { importLeads } from '#schemas/leads.ts';

export const handler = endpoint(importLeads, async ({ organizationId, body }) => ({
  import: await startImport(organizationId, body),
  message: 'Import started successfully',
}));
