import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { wrongState } from '#lib/platform/errors/failures.ts';
import { mediaNotUploaded } from '#schemas/media.ts';
import { type Media, requireMedia } from './media.ts';
import { planMediaChange } from './media-writes.ts';
import { planProcessing } from './plan-processing.ts';
import { findUpload } from './upload-parts.ts';

/**
 * Starts the processing of an upload, once.
 *
 * @throws 404; 409 if the file does not exist yet.
 */
export function completeUpload(
  organizationId: string,
  mediaId: string,
  extraWrites: ExtraWrites<Media>,
): Promise<Media> {
  return retryWhenOvertaken('media', async () => {
    const before = await requireMedia(organizationId, mediaId);
    if (before.status !== 'UPLOADING') {
      await write(...(await extraWrites(before)));

      return before;
    }
    if ((await findUpload(before)).length === 0) {
      throw wrongState(mediaNotUploaded, before.status);
    }
    const { after, writes } = planMediaChange(before, { status: 'PROCESSING' });
    await write(...writes, ...(await extraWrites(after)), planProcessing(after));

    return after;
  });
}
