import { readLiveMetrics } from '#lib/features/content/analytics/live-metrics.ts';
import { type ContentPost, presentPost } from '#lib/features/content/posts/post.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { getMany } from '#lib/platform/db/read.ts';

type Accounts = ReadonlyArray<SocialAccount | undefined>;
type ShowOptions = { readonly includeLiveData?: boolean };

/** Formats posts with their accounts, and on request with live metrics. */
export async function showPosts(
  posts: readonly ContentPost[],
  accounts: Accounts | Promise<Accounts>,
  { includeLiveData = false }: ShowOptions = {},
) {
  const [known, figures] = await Promise.all([
    accounts,
    includeLiveData ? readLiveMetrics(posts) : undefined,
  ]);

  return posts.map((post) => ({
    ...presentPost(
      post,
      known.find((account) => account?.id === post.targetAccountId),
    ),
    ...(figures ? { liveMetrics: figures.get(post.id) ?? null } : {}),
  }));
}

export async function showPost(post: ContentPost, options: ShowOptions = {}) {
  const accountKey = keys.socialAccount(post.organizationId, post.targetAccountId);
  const [shown] = await showPosts([post], getMany<SocialAccount>([accountKey]), options);

  return shown ?? presentPost(post, undefined);
}
