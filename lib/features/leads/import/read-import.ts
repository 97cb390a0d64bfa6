import { ranges } from '#lib/platform/db/keys.ts';
import type { PageRequest } from '#lib/platform/db/list.ts';
import { query } from '#lib/platform/db/read.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import {
  type ImportChunk,
  type ImportRecord,
  presentImport,
  type RowReport,
  requireImport,
} from './import-record.ts';

type Start = { readonly page: number; readonly firstRow: number };

function encodeCursor(page: number, lastRow: number): string {
  return Buffer.from(`${page}/${lastRow}`).toString('base64url');
}

function startOf({ page, limit, cursor }: PageRequest): Start {
  if (cursor === undefined) {
    return { page: page ?? 1, firstRow: ((page ?? 1) - 1) * limit + 1 };
  }
  if (page !== undefined) {
    throw badRequest('page cannot be combined with cursor');
  }
  const position = /^(\d{1,7})\/(\d{1,7})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!position) {
    throw badRequest('cursor must be the nextCursor of a previous page of this list');
  }

  return { page: Number(position[1]) + 1, firstRow: Number(position[2]) + 1 };
}

/** Returns an import with one page of its processed rows, in file order. */
export async function readImport(organizationId: string, importId: string, request: PageRequest) {
  const { page, firstRow } = startOf(request);
  const record = await requireImport(organizationId, importId);
  const { limit } = request;
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
      nextCursor: hasMore ? encodeCursor(page, lastRow) : null,
    },
  };
}

/** The chunk that contains the first row may start before it. */
async function readReports(
  { organizationId, id }: ImportRecord,
  firstRow: number,
  lastRow: number,
): Promise<readonly RowReport[]> {
  const [before, within] = await Promise.all([
    query<ImportChunk>(ranges.leadImportChunks(organizationId, id, 1, firstRow), {
      newestFirst: true,
      limit: 1,
    }),
    firstRow === lastRow
      ? []
      : query<ImportChunk>(ranges.leadImportChunks(organizationId, id, firstRow + 1, lastRow)),
  ]);

  return [...before, ...within]
    .flatMap(({ reports = [] }) => reports)
    .filter(({ row }) => row >= firstRow && row <= lastRow);
}
