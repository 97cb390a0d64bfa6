import { type ContentPost, presentPost } from '#lib/features/content/posts/post.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { getMany } from '#lib/platform/db/read.ts';
import type { PostMetrics } from '#lib/vendors/networks/network.ts';

type Accounts = ReadonlyArray<SocialAccount | undefined>;
/** Current metrics by post id, from `readLiveMetrics`. */
type LiveMetrics = ReadonlyMap<string, PostMetrics>;

/** Formats posts with their accounts, and with live metrics if they are given. */
export async function showPosts(
  posts: readonly ContentPost[],
  accounts: Accounts | Promise<Accounts>,
  liveMetrics?: Promise<LiveMetrics>,
) {
  const [known, metrics] = await Promise.all([accounts, liveMetrics]);

  return posts.map((post) => ({
    ...presentPost(
      post,
      known.find((account) => account?.id === post.targetAccountId),
    ),
    ...(metrics ? { liveMetrics: metrics.get(post.id) ?? null } : {}),
  }));
}

/** Formats one post, like `showPosts`. */
export async function showPost(post: ContentPost, liveMetrics?: Promise<LiveMetrics>) {
  const accountKey = socialKeys.socialAccount(post.organizationId, post.targetAccountId);
  const [shown] = await showPosts([post], getMany<SocialAccount>([accountKey]), liveMetrics);

  return shown ?? presentPost(post, undefined);
}
