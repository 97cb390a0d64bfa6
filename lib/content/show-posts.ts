import { keys } from '#lib/db/keys.ts';
import { getMany } from '#lib/db/read.ts';
import type { SocialAccount } from '#lib/social/accounts.ts';
import { readLiveMetrics } from './live-metrics.ts';
import { type ContentPost, presentPost } from './post.ts';
import type { Connect } from './publishing/connection.ts';

/** Posts with the accounts that they go out by, and their live figures where they are asked for. */
export async function showPosts(
  organizationId: string,
  posts: readonly ContentPost[],
  live?: Connect,
) {
  const accountIds = [...new Set(posts.map(({ accountId }) => accountId))];
  const [accounts, figures] = await Promise.all([
    getMany<SocialAccount>(accountIds.map((id) => keys.socialAccount(organizationId, id))),
    live ? readLiveMetrics(posts, live) : undefined,
  ]);

  return posts.map((post) => ({
    ...presentPost(
      post,
      accounts.find((account) => account?.id === post.accountId),
    ),
    ...(figures ? { liveMetrics: figures.get(post.id) ?? null } : {}),
  }));
}

/** One post, as in a list. */
export async function showPost(post: ContentPost, live?: Connect) {
  const [shown] = await showPosts(post.organizationId, [post], live);

  return shown ?? presentPost(post, undefined);
}
