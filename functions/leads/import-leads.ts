import { endpoint } from '#lib/http/endpoint.ts';
import { readImport } from '#lib/leads/import/read-import.ts';
import { startImport } from '#lib/leads/import/start-import.ts';
import { importLeads } from '#schemas/leads.ts';

const shownRows = 100;

export const handler = endpoint(importLeads, async ({ organizationId, body, once }) => {
  const importId = await once((alongside) => startImport(organizationId, body, alongside));

  const started = await readImport(organizationId, importId, { limit: shownRows });

  return { import: started.import, message: 'Import started successfully' };
});
