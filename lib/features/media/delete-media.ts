import { ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { write } from '#lib/platform/db/write.ts';
import { conflict } from '#lib/platform/errors/failures.ts';
import { mediaInUse } from '#schemas/media.ts';
import { type Media, requireMedia } from './media.ts';
import { planMediaRemoval } from './media-writes.ts';
import { planProcessing } from './plan-processing.ts';

const maxPostIds = 100;

/**
 * Deletes a medium. A worker then deletes its file.
 *
 * @throws 404; 409 if draft or scheduled posts name it.
 */
export async function deleteMedia(organizationId: string, mediaId: string): Promise<void> {
  await retryWhenOvertaken('media', async () => {
    const media = await requireMedia(organizationId, mediaId);
    if ((media.uses ?? 0) > 0) {
      throw conflict(mediaInUse, { fields: { postIds: await usersOf(media) } });
    }
    await write(...planMediaRemoval(media), planProcessing(media));
  });
}

async function usersOf({ organizationId, id }: Media): Promise<readonly string[]> {
  const uses = await query<{ readonly postId: string }>(ranges.mediaUses(organizationId, id), {
    limit: maxPostIds,
  });

  return uses.map(({ postId }) => postId);
}
