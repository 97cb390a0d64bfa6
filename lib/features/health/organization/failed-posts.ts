import type { ContentPost } from '#lib/features/content/posts/post.ts';
import type { PostDate } from '#lib/features/content/posts/post-writes.ts';
import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { contentKeys, contentRanges } from '#lib/platform/db/keys/content.ts';
import { getMany, query } from '#lib/platform/db/read.ts';

const windowMs = 7 * dayMs;
const maxRows = 500;
const maxRead = 100;

/** Counts posts of the last seven days that failed to publish, up to 100. */
export async function countFailedPosts(organizationId: string): Promise<number> {
  const range = contentRanges.postDates(organizationId, timestamp(-windowMs), timestamp());
  const rows = await query<PostDate>(range, { newestFirst: true, limit: maxRows });
  const unpublished = rows
    .filter(({ wasPublished, isDeleted }) => !wasPublished && !isDeleted)
    .slice(0, maxRead);
  const posts = await getMany<ContentPost>(
    unpublished.map(({ id }) => contentKeys.contentPost(organizationId, id)),
  );

  return posts.filter((post) => post?.state === 'FAILED').length;
}
