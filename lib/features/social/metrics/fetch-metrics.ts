import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import type {
  AccountMetrics,
  Credentials,
  MetricsApi,
  PostMetrics,
  PostRange,
  RecentPost,
} from '#lib/vendors/networks/network.ts';
import { metricsOf } from '#lib/vendors/networks/ports/metrics.ts';
import { engagementOf, noPostMetrics } from '#lib/vendors/networks/post-metrics.ts';
import type { NewAccountMetrics, TopPost } from './account-metrics.ts';

/** Only the newest posts are measured. */
const maxPosts = 50;

export type MeasuredPost = RecentPost & { readonly metrics: PostMetrics | undefined };

export type WantedMetrics = {
  readonly metrics: boolean;
  readonly posts: boolean;
  /** Fetches metrics for each post. `since` limits the posts to this time or later. */
  readonly postMetrics: boolean;
  readonly since?: string | undefined;
  /** Lists all posts of this range, not only the newest ones that are measured. */
  readonly range?: PostRange | undefined;
};

export type Fetched = {
  readonly metrics: AccountMetrics | undefined;
  readonly posts: readonly MeasuredPost[] | undefined;
  /** All listed posts. */
  readonly listed: readonly RecentPost[];
};

/** Fetches the account's current metrics and recent posts from the network. */
export function fetchMetrics(account: SocialAccount, wanted: WantedMetrics): Promise<Fetched> {
  return withFreshToken(account, async (credentials) => {
    const network = metricsOf(account.platform);
    const [metrics, fetched] = await Promise.all([
      wanted.metrics ? network.fetchAccountMetrics(credentials) : undefined,
      wanted.posts ? fetchPosts(network, credentials, wanted) : undefined,
    ]);

    return { metrics, posts: fetched?.posts, listed: fetched?.listed ?? [] };
  });
}

async function fetchPosts(
  network: MetricsApi,
  credentials: Credentials,
  { postMetrics, since = '', range }: WantedMetrics,
): Promise<{ readonly posts: readonly MeasuredPost[]; readonly listed: readonly RecentPost[] }> {
  const listed = await network.listRecentPosts(credentials, range);
  const recent = listed.filter(({ publishedAt }) => publishedAt >= since).slice(0, maxPosts);
  if (!postMetrics || recent.length === 0) {
    return { posts: recent.map((post) => ({ ...post, metrics: undefined })), listed };
  }
  const metrics = await network.fetchPostMetrics(
    credentials,
    recent.map(({ platformPostId }) => platformPostId),
  );

  return { posts: recent.map((post, index) => ({ ...post, metrics: metrics[index] })), listed };
}

function topOf(posts: readonly MeasuredPost[]): TopPost | undefined {
  const measured = posts
    .filter(({ metrics }) => metrics !== undefined)
    .map(({ platformPostId, metrics }) => ({
      id: platformPostId,
      engagement: engagementOf(metrics ?? noPostMetrics),
      reach: metrics?.reach ?? 0,
    }));

  return measured.toSorted((one, other) => other.engagement - one.engagement)[0];
}

export function totalEngagement(posts: readonly MeasuredPost[] = []): number {
  return posts.reduce((sum, { metrics }) => sum + engagementOf(metrics ?? noPostMetrics), 0);
}

/**
 * Returns the metrics to store. If the network has no account-level engagement, uses the engagement
 * of all recent posts.
 */
export function toNewAccountMetrics(
  { metrics, posts }: Pick<Fetched, 'metrics' | 'posts'>,
  areAllPosts: boolean,
): NewAccountMetrics {
  const areMeasured = areAllPosts && posts?.some(({ metrics }) => metrics !== undefined);

  return {
    followers: metrics?.followers ?? undefined,
    posts: metrics?.posts ?? undefined,
    engagement: metrics?.engagement ?? (areMeasured ? totalEngagement(posts) : undefined),
    reach: metrics?.reach ?? undefined,
    clicks: metrics?.clicks ?? undefined,
    topPost: areAllPosts ? topOf(posts ?? []) : undefined,
    lastPostAt: posts?.[0]?.publishedAt,
  };
}
