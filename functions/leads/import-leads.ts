import { readImport } from '#lib/features/leads/import/read-import.ts';
import { startImport } from '#lib/features/leads/import/start-import.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { importLeads } from '#schemas/leads.ts';

const shownRows = 100;

export const handler = endpoint(importLeads, async ({ organizationId, body, idempotently }) => {
  const importId = await idempotently((extraWrites) =>
    startImport(organizationId, body, extraWrites),
  );

  const started = await readImport(organizationId, importId, { limit: shownRows });

  return { import: started.import };
});
