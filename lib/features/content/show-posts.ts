import { readLiveMetrics } from '#lib/features/content/analytics/live-metrics.ts';
import { type ContentPost, presentPost } from '#lib/features/content/posts/post.ts';
import type { Connect } from '#lib/features/content/publishing/connection.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { getMany } from '#lib/platform/db/read.ts';

type Accounts = ReadonlyArray<SocialAccount | undefined>;

/** Formats posts with their accounts, and with live metrics if `live` is given. */
export async function showPosts(
  posts: readonly ContentPost[],
  accounts: Accounts | Promise<Accounts>,
  live?: Connect,
) {
  const [known, figures] = await Promise.all([
    accounts,
    live ? readLiveMetrics(posts, live) : undefined,
  ]);

  return posts.map((post) => ({
    ...presentPost(
      post,
      known.find((account) => account?.id === post.targetAccountId),
    ),
    ...(figures ? { liveMetrics: figures.get(post.id) ?? null } : {}),
  }));
}

/** Formats one post the same way. */
export async function showPost(post: ContentPost, live?: Connect) {
  const accountKey = keys.socialAccount(post.organizationId, post.targetAccountId);
  const [shown] = await showPosts([post], getMany<SocialAccount>([accountKey]), live);

  return shown ?? presentPost(post, undefined);
}
