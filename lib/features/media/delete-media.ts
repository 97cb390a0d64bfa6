import { contentKeys, contentRanges } from '#lib/platform/db/keys/content.ts';
import { getMany, queryPages } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { write } from '#lib/platform/db/write.ts';
import { apiError } from '#lib/platform/errors/failures.ts';
import { mediaInUse } from '#schemas/media.ts';
import type { PostSettings } from '#schemas/post-settings.ts';
import { type Media, requireMedia } from './media.ts';
import { planMediaRemoval } from './media-writes.ts';
import { planProcessing } from './plan-processing.ts';

const maxPostIds = 100;
const pageSize = 100;

/**
 * Deletes a media file. A worker then deletes its stored files.
 *
 * @throws 404; 409 if draft or scheduled posts use it.
 */
export async function deleteMedia(organizationId: string, mediaId: string): Promise<void> {
  await retryWhenOvertaken('media', async () => {
    const media = await requireMedia(organizationId, mediaId);
    if ((media.uses ?? 0) > 0) {
      throw apiError('IN_USE', mediaInUse, { fields: { postIds: await usersOf(media) } });
    }
    await write(...planMediaRemoval(media), planProcessing(media));
  });
}

type Post = {
  readonly id: string;
  readonly mediaIds?: readonly string[];
  readonly settings?: PostSettings;
  readonly thread?: ReadonlyArray<{ readonly mediaIds: readonly string[] }>;
};

/** Returns the first drafts and scheduled posts that use the media file. */
async function usersOf({ organizationId, id, uses = 0 }: Media): Promise<readonly string[]> {
  const found: string[] = [];
  for (const state of ['SCHEDULED', 'DRAFT']) {
    const range = contentRanges.postEntries(organizationId, 'status', state);
    for await (const entries of queryPages<Pick<Post, 'id'>>(range, { limit: pageSize })) {
      const posts = await getMany<Post>(
        entries.map((entry) => contentKeys.contentPost(organizationId, entry.id)),
      );
      found.push(
        ...posts
          .filter((post) => post !== undefined)
          .filter((post) => namesMedium(post, id))
          .map((post) => post.id),
      );
      if (found.length >= Math.min(uses, maxPostIds)) {
        return found.slice(0, maxPostIds);
      }
    }
  }

  return found;
}

function namesMedium({ mediaIds = [], thread = [], settings = {} }: Post, id: string): boolean {
  const { thumbnailMediaId, coverMediaId } = settings;

  return [mediaIds, [thumbnailMediaId, coverMediaId], ...thread.map((part) => part.mediaIds)].some(
    (ids) => ids.includes(id),
  );
}
