import { listAuditEntries } from '#lib/platform/audit/list-audit-entries.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listAuditLog } from '#schemas/organizations.ts';

export const handler = endpoint(listAuditLog, async ({ organizationId, query }) => {
  const { items, pagination } = await listAuditEntries(organizationId, query);

  return { entries: items, pagination };
});
