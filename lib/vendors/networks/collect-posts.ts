import type { PostRange, RecentPost } from './network.ts';

export type PostPage = {
  readonly posts: readonly RecentPost[];
  /** The cursor of the next page. Absent on the last page. */
  readonly next: string | undefined;
};

/** Ends the loop if a network keeps returning empty pages. */
const maxPages = 20;

/**
 * Reads pages of posts, newest first, until they cover the range. Without a range, reads one page.
 * The last page can contain posts from before the range.
 */
export async function collectPosts(
  range: PostRange | undefined,
  readPage: (next: string | undefined) => Promise<PostPage>,
): Promise<readonly RecentPost[]> {
  const first = await readPage(undefined);
  if (!range) {
    return first.posts;
  }
  const { since, maxPosts } = range;
  const posts = [...first.posts];
  let next = first.next;
  for (let pages = 1; next !== undefined && pages < maxPages; pages += 1) {
    if (posts.length >= maxPosts || (posts.at(-1)?.publishedAt ?? since) < since) {
      break;
    }
    const page: PostPage = await readPage(next);
    posts.push(...page.posts);
    next = page.next;
  }

  return posts.slice(0, maxPosts);
}
