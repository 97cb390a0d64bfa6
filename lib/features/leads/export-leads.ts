import { listPipelines } from '#lib/features/leads/pipelines/pipeline.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { type Cell, csvHeader, csvRow } from '#lib/platform/csv/write-csv.ts';
import { encodeCursor } from '#lib/platform/db/lists/cursor.ts';
import type { IndexRow } from '#lib/platform/db/lists/sharded-list.ts';
import { write } from '#lib/platform/db/write.ts';
import { sizeInAnswer } from '#lib/platform/http/answer.ts';
import { type CustomField, listFields } from './custom-field.ts';
import { readLinkedLeads } from './linked-leads.ts';
import { findLeads, type LeadFilters } from './list-leads.ts';
import { cellOfTags } from './tags-in-csv.ts';

type LinkedLead = Awaited<ReturnType<typeof readLinkedLeads>>[number];

type Columns = Readonly<Record<string, (lead: LinkedLead) => Cell>>;

/** The column names match those of the import, so that an exported file can be imported again. */
const columns: Columns = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  name: ({ contact }) => contact?.name,
  email: ({ contact }) => contact?.email,
  phone: ({ contact }) => contact?.phone,
  company: ({ contact }) => contact?.company,
  pipeline: ({ pipeline }) => pipeline?.name,
  stage: ({ stage }) => stage?.name,
  status: ({ status }) => status,
  source: ({ source }) => source,
  value: ({ value }) => value,
  notes: ({ notes }) => notes,
  tags: ({ tags }) => cellOfTags(tags),
  assignedToId: ({ assignedToId }) => assignedToId,
  utmSource: ({ utmSource }) => utmSource,
  utmMedium: ({ utmMedium }) => utmMedium,
  utmCampaign: ({ utmCampaign }) => utmCampaign,
  convertedAt: ({ convertedAt }) => convertedAt,
};

const rowsAtOnce = 100;
/** Less than the limit of a response. */
const maxFileBytes = 5_000_000;

export type LeadExport = {
  readonly csv: string;
  /** The number of leads in the file. */
  readonly leads: number;
  readonly nextCursor: string | null;
};

/**
 * Exports the leads that match all filters as CSV, newest first, up to `limit` and the size limit.
 */
export async function exportLeads(
  organizationId: string,
  wanted: LeadFilters,
  request: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<LeadExport> {
  const [{ items, pagination }, fields] = await Promise.all([
    findLeads(organizationId, wanted, request),
    listFields(organizationId),
  ]);
  const all = { ...columns, ...columnsOf(fields) };
  const parts = [csvHeader(Object.keys(all))];
  let bytes = 0;
  let lastId = '';
  for await (const lead of readInBatches(organizationId, items)) {
    const part = csvRow(Object.values(all).map((cellOf) => cellOf(lead)));
    bytes += sizeInAnswer(part);
    if (bytes > maxFileBytes) {
      return {
        csv: parts.join(''),
        leads: parts.length - 1,
        nextCursor: encodeCursor({ after: lastId, page: pagination.page }),
      };
    }
    parts.push(part);
    lastId = lead.id;
  }

  return {
    csv: parts.join(''),
    leads: parts.length - 1,
    nextCursor: pagination.nextCursor,
  };
}

function columnsOf(fields: readonly CustomField[]): Columns {
  return Object.fromEntries(
    fields.map(({ id, key, appliesTo }) => [
      `customFields.${key}`,
      ({ customValues, contact }) =>
        (appliesTo === 'LEAD' ? customValues : contact?.customValues)?.[id],
    ]),
  );
}

/** Records who exported how many leads. Call it before the file is returned. */
export async function auditExport(
  organizationId: string,
  actorId: string,
  leads: number,
): Promise<void> {
  await write(
    ...planAudit(organizationId, {
      action: 'leads.exported',
      actorId,
      targetType: 'organization',
      details: { leads },
    }),
  );
}

async function* readInBatches(organizationId: string, rows: readonly IndexRow[]) {
  const pipelines = Promise.resolve(await listPipelines(organizationId));
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    yield* await readLinkedLeads(organizationId, rows.slice(start, start + rowsAtOnce), pipelines);
  }
}
