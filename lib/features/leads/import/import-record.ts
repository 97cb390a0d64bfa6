import { gunzipSync, gzipSync } from 'node:zlib';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import type { ListShard } from '#lib/platform/db/lists/shards.ts';
import { get } from '#lib/platform/db/read.ts';
import { requireFound } from '#lib/platform/errors/failures.ts';
import type { importedRow, importOutcomes } from '#schemas/leads.ts';
import type * as z from '#schemas/zod.ts';

export type RowOutcome = (typeof importOutcomes)[number];

export type RowReport = {
  readonly row: number;
  readonly outcome: RowOutcome;
  readonly leadId: string | null;
  readonly contactId: string | null;
  readonly reason: string | null;
};

export type ImportedRow = z.output<typeof importedRow>;

/** A parsed row: the data to import, or the reason it is rejected. */
export type PreparedRow = { readonly row: number } & (
  | { readonly details: ImportedRow; readonly reason?: undefined }
  | { readonly details?: undefined; readonly reason: string }
);

/**
 * An import and its progress. Chunks are processed in order, so processed rows are always the first
 * ones. Attribute names must not equal those of the lead list indexes.
 */
export type ImportRecord = {
  readonly id: string;
  readonly organizationId: string;
  readonly list: ListShard<'import'>;
  readonly targetPipelineId: string;
  readonly defaultSource: string;
  readonly dryRun: boolean;
  readonly ignoredColumns: readonly string[];
  /** The slot that it holds while it runs. Older imports have none. */
  readonly slot?: number;
  readonly totalRows: number;
  readonly processedRows: number;
  readonly created: number;
  readonly merged: number;
  readonly refused: number;
  readonly createdAt: string;
  readonly expiresAtSeconds: number;
};

/** Rows that are processed together. After processing, their reports replace the rows. */
export type ImportChunk = {
  readonly firstRow: number;
  /** Compressed by `packRows`. */
  readonly rows?: Uint8Array;
  readonly reports?: readonly RowReport[];
};

export function packRows(rows: readonly PreparedRow[]): Uint8Array {
  return gzipSync(JSON.stringify(rows));
}

export function unpackRows(packed: Uint8Array): readonly PreparedRow[] {
  return JSON.parse(gunzipSync(packed).toString('utf8'));
}

export function findImport(
  organizationId: string,
  importId: string,
): Promise<ImportRecord | undefined> {
  return get<ImportRecord>(leadKeys.leadImport(organizationId, importId));
}

/** @throws 404 */
export async function requireImport(
  organizationId: string,
  importId: string,
): Promise<ImportRecord> {
  return requireFound(await findImport(organizationId, importId), 'Import');
}

export function presentImport(record: ImportRecord, rows: readonly RowReport[]) {
  return {
    ...record,
    status: record.processedRows === record.totalRows ? ('DONE' as const) : ('RUNNING' as const),
    pipelineId: record.targetPipelineId,
    rows,
  };
}
