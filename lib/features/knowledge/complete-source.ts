import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { wrongState } from '#lib/platform/errors/failures.ts';
import { findFile } from '#lib/platform/storage/stored-files.ts';
import { notUploaded } from '#schemas/knowledge.ts';
import { planRevision } from './change-source.ts';
import { documentKey, requireSource, type Source } from './source.ts';

/**
 * Starts to read an upload, once, or again if reading it failed.
 *
 * @throws 404; 409 if the file does not exist.
 */
export function completeSource(
  organizationId: string,
  sourceId: string,
  extraWrites: ExtraWrites<Source>,
): Promise<Source> {
  return retryWhenOvertaken('knowledge source', async () => {
    const before = await requireSource(organizationId, sourceId);
    if (before.type !== 'FILE') {
      throw wrongState(notUploaded, before.status);
    }
    if (!before.awaitsUpload && before.status !== 'FAILED') {
      await write(...(await extraWrites(before)));

      return before;
    }
    if (!(await findFile(documentKey(before)))) {
      throw wrongState(notUploaded, before.status);
    }
    const { after, writes } = planRevision(before, { set: { awaitsUpload: null } });
    await write(...writes, ...(await extraWrites(after)));

    return after;
  });
}
