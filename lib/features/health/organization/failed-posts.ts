import type { ContentPost } from '#lib/features/content/posts/post.ts';
import type { PostDate } from '#lib/features/content/posts/post-writes.ts';
import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { getMany, query } from '#lib/platform/db/read.ts';

const lookedAtMs = 7 * dayMs;
const maxLookedAt = 500;
const maxRead = 100;

/** How many posts were to be published in the last seven days and failed; 100 at the most. */
export async function findFailedPosts(organizationId: string): Promise<number> {
  const range = ranges.postDates(organizationId, timestamp(-lookedAtMs), timestamp());
  const rows = await query<PostDate>(range, { newestFirst: true, limit: maxLookedAt });
  const unpublished = rows
    .filter(({ wasPublished, isDeleted }) => !wasPublished && !isDeleted)
    .slice(0, maxRead);
  const posts = await getMany<ContentPost>(
    unpublished.map(({ id }) => keys.contentPost(organizationId, id)),
  );

  return posts.filter((post) => post?.state === 'FAILED').length;
}
