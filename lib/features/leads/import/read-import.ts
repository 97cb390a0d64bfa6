import { leadRanges } from '#lib/platform/db/keys/leads.ts';
import { encodeCursor, type PageRequest, pageStart } from '#lib/platform/db/lists/cursor.ts';
import { query } from '#lib/platform/db/read.ts';
import {
  type ImportChunk,
  type ImportRecord,
  presentImport,
  type RowReport,
  requireImport,
} from './import-record.ts';

const isRow = (after: unknown): after is number =>
  Number.isInteger(after) && Number(after) >= 0 && Number(after) < 10_000_000;

/** Returns an import with one page of its processed rows, in file order. */
export async function readImport(organizationId: string, importId: string, request: PageRequest) {
  const { page, after } = pageStart(request, isRow);
  const record = await requireImport(organizationId, importId);
  const { limit } = request;
  const firstRow = after === undefined ? (page - 1) * limit + 1 : after + 1;
  const lastRow = Math.min(firstRow + limit - 1, record.processedRows);
  const rows = firstRow > lastRow ? [] : await readReports(record, firstRow, lastRow);
  const hasMore = rows.length > 0 && lastRow < record.processedRows;

  return {
    import: presentImport(record, rows),
    pagination: {
      total: record.processedRows,
      page,
      limit,
      hasMore,
      nextCursor: hasMore ? encodeCursor({ after: lastRow, page }) : null,
    },
  };
}

/** The chunk that contains the first requested row may start before it. */
async function readReports(
  { organizationId, id }: ImportRecord,
  firstRow: number,
  lastRow: number,
): Promise<readonly RowReport[]> {
  const [before, within] = await Promise.all([
    query<ImportChunk>(leadRanges.leadImportChunks(organizationId, id, 1, firstRow), {
      newestFirst: true,
      limit: 1,
    }),
    firstRow === lastRow
      ? []
      : query<ImportChunk>(leadRanges.leadImportChunks(organizationId, id, firstRow + 1, lastRow)),
  ]);

  return [...before, ...within]
    .flatMap(({ reports = [] }) => reports)
    .filter(({ row }) => row >= firstRow && row <= lastRow);
}
