import {
  type ImportChunk,
  type PreparedRow,
  packRows,
  unpackRows,
} from '#lib/features/leads/import/import-record.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { leadRanges } from '#lib/platform/db/keys/leads.ts';
import { allRowsOf } from '#lib/platform/db/lists/sharded-list.ts';
import { query } from '#lib/platform/db/read.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { ErasureProgress, PersonScope } from './person-scope.ts';

const reason = 'The person was erased';

/**
 * Erases import rows that have not been processed. After processing, only their results are stored.
 */
export async function eraseImportRows(
  scope: PersonScope,
  { cursor, save, stopInTime }: ErasureProgress,
) {
  for (const { id } of await importsOf(scope)) {
    // The list is sorted by id, newest first.
    if (cursor !== undefined && id >= cursor) {
      continue;
    }
    for (const chunk of await chunksOf(scope, id)) {
      stopInTime();
      await eraseRows(scope, chunk);
    }
    await save(id);
  }
}

export async function* collectImportRows(scope: PersonScope) {
  for (const { id } of await importsOf(scope)) {
    for (const { rows } of await chunksOf(scope, id)) {
      yield* rowsOf(rows).flatMap(({ details }) =>
        details && scope.addresses.includes(details.email) ? [details] : [],
      );
    }
  }
}

function importsOf({ organizationId }: PersonScope) {
  return allRowsOf({ organizationId, kind: 'import' });
}

function chunksOf({ organizationId }: PersonScope, importId: string) {
  return query<ImportChunk>(leadRanges.allLeadImportChunks(organizationId, importId), {
    attributes: ['pk', 'sk', 'rows'],
  });
}

function rowsOf(packed: ImportChunk['rows']): readonly PreparedRow[] {
  return packed ? unpackRows(packed) : [];
}

async function eraseRows({ addresses }: PersonScope, chunk: ImportChunk & Key): Promise<void> {
  const rows = rowsOf(chunk.rows);
  const kept = rows.map((row) =>
    row.details && addresses.includes(row.details.email) ? { row: row.row, reason } : row,
  );
  if (kept.some((row, index) => row !== rows[index])) {
    // A chunk that was processed in the meantime no longer has rows.
    await writeIfMet(
      change(chunk, { set: { rows: packRows(kept) }, when: equals('rows', chunk.rows) }),
    );
  }
}
