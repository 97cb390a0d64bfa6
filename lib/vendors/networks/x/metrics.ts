import { collectPosts } from '#lib/vendors/networks/collect-posts.ts';
import type { MetricsApi, PostMetrics } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call } from './call.ts';
import { postUrl } from './create-post.ts';
import { readTimeline, writtenText } from './timeline.ts';
import { readUser } from './tokens.ts';

const idsPerCall = 100;

const count = z.number().optional();
const measured = z.object({
  id: z.string(),
  public_metrics: z
    .object({
      like_count: count,
      reply_count: count,
      repost_count: count,
      /** The older name of `repost_count`. */
      retweet_count: count,
      quote_count: count,
      impression_count: count,
    })
    .optional(),
  non_public_metrics: z.object({ url_link_clicks: z.number().optional() }).optional(),
});
const measuredPosts = z.object({ data: z.array(measured).default([]) });
type Measured = z.output<typeof measured>;

export const fetchAccountMetrics: MetricsApi['fetchAccountMetrics'] = async (credentials) => {
  const { public_metrics: metrics } = await readUser(credentials);

  return {
    followers: metrics?.followers_count ?? null,
    posts: metrics?.post_count ?? metrics?.tweet_count ?? null,
    engagement: null,
    reach: null,
    clicks: null,
  };
};

/**
 * Returns the account's posts, newest first, with their original text. X charges per post, so this
 * does not read posts from before the range.
 */
export const listRecentPosts: MetricsApi['listRecentPosts'] = (credentials, range) =>
  collectPosts(range, async (page) => {
    const since = range ? { since: range.since } : {};
    const { data, meta } = await readTimeline(credentials, 'tweets', { ...since, page });
    const posts = data.map((post) => ({
      platformPostId: post.id,
      text: writtenText(post),
      publishedAt: post.created_at ?? '',
      url: postUrl(post.id),
    }));

    return { posts, next: meta?.next_token };
  });

/**
 * Returns metrics in the order of the ids. X keeps private metrics (clicks) for 30 days. If they
 * are requested, it omits older posts, so missing posts are requested again without private
 * metrics.
 */
export const fetchPostMetrics: MetricsApi['fetchPostMetrics'] = async ({ accessToken }, ids) => {
  const found = new Map<string, Measured>();
  for (const fields of ['public_metrics,non_public_metrics,organic_metrics', 'public_metrics']) {
    const missing = ids.filter((id) => !found.has(id));
    for (let at = 0; at < missing.length; at += idsPerCall) {
      const { data } = await call({
        path: '/2/tweets',
        token: accessToken,
        query: { ids: missing.slice(at, at + idsPerCall).join(','), 'post.fields': fields },
        answer: measuredPosts,
      });
      for (const post of data) {
        found.set(post.id, post);
      }
    }
  }

  return ids.map((id) => metricsOf(found.get(id)));
};

/** A metric that X does not return is `null`, not 0. */
function metricsOf(post: Measured | undefined): PostMetrics | undefined {
  if (post === undefined) {
    return undefined;
  }
  const metrics = post.public_metrics ?? {};
  const reposts = metrics.repost_count ?? metrics.retweet_count;

  return {
    likes: metrics.like_count ?? null,
    comments: metrics.reply_count ?? null,
    shares: reposts === undefined ? null : reposts + (metrics.quote_count ?? 0),
    clicks: post.non_public_metrics?.url_link_clicks ?? null,
    reach: null,
    impressions: metrics.impression_count ?? null,
  };
}
