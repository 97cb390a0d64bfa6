import { readImport } from '#lib/features/leads/import/read-import.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getImport } from '#schemas/leads.ts';

export const handler = endpoint(getImport, async ({ organizationId, params, query }) =>
  readImport(organizationId, params.import_id, query),
);
