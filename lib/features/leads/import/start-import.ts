import { listFields } from '#lib/features/leads/custom-field.ts';
import { requirePipelineOrDefault } from '#lib/features/leads/pipelines/pipeline.ts';
import { dayMs, epochSeconds, timestamp } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { listOf } from '#lib/platform/db/lists/shards.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { create, discard, type ExtraWrites, type Write, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { countMore } from '#lib/platform/rate-limits/request-counter.ts';
import { dispatch, planWork } from '#lib/platform/work/outbox.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { importLeads } from '#schemas/leads.ts';
import { processImport } from './continue-import.ts';
import { type ImportRecord, type PreparedRow, packRows } from './import-record.ts';
import { findFreeSlot, planSlot } from './import-slots.ts';
import { type PreparedFile, prepareRows } from './prepare-rows.ts';

export type ImportRequest = BodyOf<typeof importLeads>;

const retentionDays = 30;
const maxSyncRows = 100;
/** This many rows count as one more request of the organization, because they cost as much. */
const rowsPerRequest = 10;
/** All chunks, the record and the scheduled work must fit into one transaction. */
const rowsPerChunk = 125;
const maxChunkBytes = 250_000;

/**
 * Starts an import. A short file is processed before this returns. A long file is processed in the
 * background, like the remaining rows of a short file after a failure or crash.
 *
 * @returns the id of the import.
 * @throws 400 if the file cannot be parsed, 404 for an unknown pipeline, 409 if too many imports
 * are running.
 */
export async function startImport(
  organizationId: string,
  request: ImportRequest,
  extraWrites: ExtraWrites<string>,
): Promise<string> {
  const file = prepareRows(request.csv, await listFields(organizationId));
  const { record, workKey } = await retryWhenOvertaken('imports', () =>
    storeImport(organizationId, request, file, extraWrites),
  );
  const process =
    record.totalRows <= maxSyncRows
      ? processSynchronously(record, workKey)
      : dispatch('leadImport', workKey, {});
  await Promise.all([process, countRows(record)]);

  return record.id;
}

async function countRows({ organizationId, totalRows }: ImportRecord): Promise<void> {
  const more = Math.floor(totalRows / rowsPerRequest);
  if (more > 0) {
    await countMore('organizationRequests', organizationId, more);
  }
}

async function storeImport(
  organizationId: string,
  request: ImportRequest,
  file: PreparedFile,
  extraWrites: ExtraWrites<string>,
) {
  const [{ pipelineId }, slot] = await Promise.all([
    requirePipelineOrDefault(organizationId, request.pipelineId ?? undefined),
    findFreeSlot(organizationId),
  ]);
  const record = { ...newImport(organizationId, pipelineId, request, file), slot };
  const { id: importId } = record;
  const work = planWork('leadImport', {
    owner: leadKeys.leadImport(organizationId, importId),
    payload: { organizationId, importId },
    leaveToSweep: true,
  });
  await write(
    ...(await extraWrites(importId)),
    planSlot(organizationId, slot),
    create(leadKeys.leadImport(organizationId, importId), record),
    ...chunksOf(file.rows).map((rows) => planChunk(record, rows)),
    work,
  );

  return { record, workKey: work.key };
}

function newImport(
  organizationId: string,
  targetPipelineId: string,
  { source, dryRun }: ImportRequest,
  { rows, ignoredColumns }: PreparedFile,
): ImportRecord {
  const id = newId();

  return {
    id,
    organizationId,
    list: listOf('import', id),
    targetPipelineId,
    defaultSource: source ?? 'import',
    dryRun: dryRun ?? false,
    ignoredColumns,
    totalRows: rows.length,
    processedRows: 0,
    created: 0,
    merged: 0,
    refused: 0,
    createdAt: timestamp(),
    expiresAtSeconds: epochSeconds((retentionDays * dayMs) / 1000),
  };
}

function chunksOf(rows: readonly PreparedRow[]): ReadonlyArray<readonly PreparedRow[]> {
  const chunks: PreparedRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(row));
    const chunk = chunks.at(-1);
    if (chunk && chunk.length < rowsPerChunk && bytes + size <= maxChunkBytes) {
      chunk.push(row);
      bytes += size;
    } else {
      chunks.push([row]);
      bytes = size;
    }
  }

  return chunks;
}

function planChunk(
  { organizationId, id, expiresAtSeconds }: ImportRecord,
  rows: readonly PreparedRow[],
): Write {
  const firstRow = rows[0]?.row ?? 0;

  return create(leadKeys.leadImportChunk(organizationId, id, firstRow), {
    firstRow,
    rows: packRows(rows),
    expiresAtSeconds,
  });
}

/** The import is already accepted, so after a failure the worker processes the rest. */
async function processSynchronously(
  { organizationId, id }: ImportRecord,
  workKey: Key,
): Promise<void> {
  try {
    await processImport(organizationId, id, () => Number.POSITIVE_INFINITY);
    await write(discard(workKey));
  } catch (failure) {
    logger.warn('An import goes on in the background', { failure: describeFailure(failure) });
    await dispatch('leadImport', workKey, {});
  }
}
