import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { type Alongside, write } from '#lib/platform/db/write.ts';
import { conflict } from '#lib/platform/errors/failures.ts';
import { findFile } from '#lib/platform/storage/stored-files.ts';
import { mediaNotUploaded } from '#schemas/media.ts';
import { type Media, requireMedia, uploadKey } from './media.ts';
import { planMediaChange } from './media-writes.ts';
import { planProcessing } from './plan-processing.ts';

/**
 * Starts the processing of an upload, once.
 *
 * @throws 404; 409 if the file is not there yet.
 */
export function completeUpload(
  organizationId: string,
  mediaId: string,
  alongside: Alongside<Media>,
): Promise<Media> {
  return retryWhenOvertaken('media', async () => {
    const before = await requireMedia(organizationId, mediaId);
    if (before.status !== 'UPLOADING') {
      await write(...(await alongside(before)));

      return before;
    }
    if (!(await findFile(uploadKey(organizationId, mediaId)))) {
      throw conflict(mediaNotUploaded);
    }
    const { after, writes } = planMediaChange(before, { status: 'PROCESSING' });
    await write(...writes, ...(await alongside(after)), planProcessing(after));

    return after;
  });
}
