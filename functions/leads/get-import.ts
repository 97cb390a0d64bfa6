import { endpoint } from '#lib/http/endpoint.ts';
import { readImport } from '#lib/leads/import/read-import.ts';
import { getImport } from '#schemas/leads.ts';

export const handler = endpoint(getImport, async ({ organizationId, params, query }) => {
  const found = await readImport(organizationId, params.import_id, query);

  return { ...found, message: 'Import retrieved successfully' };
});
