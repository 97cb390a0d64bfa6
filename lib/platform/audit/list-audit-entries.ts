import { organizationKeys, organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import { listPage, type Page } from '#lib/platform/db/lists/list.ts';
import { get } from '#lib/platform/db/read.ts';
import { type AuditEntry, auditCounter } from './audit-log.ts';

/** Returns one page of an organization's audit log, newest first. */
export function listAuditEntries(
  organizationId: string,
  request: PageRequest,
): Promise<Page<AuditEntry>> {
  return listPage<AuditEntry>(
    organizationRanges.auditEntries(organizationId),
    request,
    async () => {
      const counted = await get<{ value: number }>(
        organizationKeys.counter(organizationId, auditCounter),
      );

      return counted?.value ?? 0;
    },
  );
}
