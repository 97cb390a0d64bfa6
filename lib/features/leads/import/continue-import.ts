import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { change, discard } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import {
  findImport,
  type ImportChunk,
  type ImportRecord,
  type PreparedRow,
  type RowOutcome,
  type RowReport,
  unpackRows,
} from './import-record.ts';
import { processRow, reportOf } from './process-row.ts';

const rowsAtOnce = 8;
/** A chunk takes a few seconds. The function must not time out in the middle of one. */
const reserveMs = 60_000;

export function continueImport({ payload, remainingMs }: WorkRequest<'leadImport'>) {
  const { organizationId, importId } = payload;

  return processImport(organizationId, importId, remainingMs);
}

/**
 * Processes the remaining chunks of an import in order. Can be interrupted and restarted, and may
 * run concurrently: each row is processed once.
 */
export async function processImport(
  organizationId: string,
  importId: string,
  remainingMs: () => number,
): Promise<'done' | 'unfinished'> {
  for (;;) {
    const record = await findImport(organizationId, importId);
    if (!record || record.processedRows >= record.totalRows) {
      return 'done';
    }
    if (remainingMs() < reserveMs) {
      return 'unfinished';
    }
    await processChunk(record);
  }
}

async function processChunk(record: ImportRecord): Promise<void> {
  const { organizationId, id, processedRows } = record;
  const firstRow = processedRows + 1;
  const chunk = await get<ImportChunk>(leadKeys.leadImportChunk(organizationId, id, firstRow));
  if (!chunk) {
    throw new Error('A chunk of an import is missing');
  }
  // If there are no rows, a concurrent run has processed the chunk since the record was read.
  if (chunk.rows) {
    await recordReports(record, await settleRows(record, unpackRows(chunk.rows)));
  }
}

async function settleRows(
  record: ImportRecord,
  rows: readonly PreparedRow[],
): Promise<readonly RowReport[]> {
  const numbers = rows.map(({ row }) => row);
  const done = await query<RowReport>(
    leadRanges.leadImportRows(
      record.organizationId,
      record.id,
      Math.min(...numbers),
      Math.max(...numbers),
    ),
  );
  const reports = new Map(done.map((item) => [item.row, reportOf(item)]));

  return atMostAtOnce(
    rowsAtOnce,
    rows,
    async (row) => reports.get(row.row) ?? processRow(record, row),
  );
}

function numberOf(reports: readonly RowReport[], wanted: RowOutcome): number {
  return reports.filter(({ outcome }) => outcome === wanted).length;
}

/**
 * Replaces the rows of a chunk with their reports and updates the counts, once. The last chunk
 * releases the slot. If a concurrent run has done so, or the import was deleted, the next read of
 * the record shows it.
 */
async function recordReports(record: ImportRecord, reports: readonly RowReport[]): Promise<void> {
  const { organizationId, id, processedRows, totalRows, slot } = record;
  const isLast = processedRows + reports.length >= totalRows;
  await writeIfMet(
    change(leadKeys.leadImport(organizationId, id), {
      add: {
        processedRows: reports.length,
        created: numberOf(reports, 'CREATED'),
        merged: numberOf(reports, 'MERGED'),
        refused: numberOf(reports, 'REFUSED'),
      },
      when: equals('processedRows', processedRows),
    }),
    change(leadKeys.leadImportChunk(organizationId, id, processedRows + 1), {
      set: { rows: null, reports },
    }),
    ...(isLast && slot !== undefined
      ? [discard(leadKeys.leadImportSlot(organizationId, slot))]
      : []),
  );
}
