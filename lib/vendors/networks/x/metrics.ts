import type {
  AccountMetrics,
  Credentials,
  PostMetrics,
  RecentPost,
} from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call } from './call.ts';
import { postUrl, readTimeline, writtenText } from './timeline.ts';
import { readUser } from './user.ts';

const idsPerCall = 100;

const count = z.number().default(0);
const measured = z.object({
  id: z.string(),
  public_metrics: z
    .object({
      like_count: count,
      reply_count: count,
      retweet_count: count,
      quote_count: count,
      impression_count: count,
    })
    .optional(),
  non_public_metrics: z.object({ url_link_clicks: z.number().optional() }).optional(),
});
const measuredPosts = z.object({ data: z.array(measured).default([]) });
type Measured = z.output<typeof measured>;

export async function fetchAccountMetrics(credentials: Credentials): Promise<AccountMetrics> {
  const { public_metrics: metrics } = await readUser(credentials);

  return {
    followers: metrics?.followers_count ?? null,
    posts: metrics?.tweet_count ?? null,
    engagement: null,
    reach: null,
    clicks: null,
  };
}

/** The account's latest posts, newest first, with the text as it was written. */
export async function listRecentPosts(credentials: Credentials): Promise<readonly RecentPost[]> {
  const { data } = await readTimeline(credentials, 'tweets');

  return data.map((post) => ({
    platformPostId: post.id,
    text: writtenText(post),
    publishedAt: post.created_at ?? '',
    url: postUrl(post.id),
  }));
}

/**
 * Figures of posts, in the order of the ids. Those that only the author sees (clicks) end 30 days
 * after publication, and asking for them takes the whole post out of the answer: what is missing is
 * asked for again without them.
 */
export async function fetchPostMetrics(
  { accessToken }: Credentials,
  ids: readonly string[],
): Promise<ReadonlyArray<PostMetrics | undefined>> {
  const found = new Map<string, Measured>();
  for (const fields of ['public_metrics,non_public_metrics,organic_metrics', 'public_metrics']) {
    const missing = ids.filter((id) => !found.has(id));
    for (let at = 0; at < missing.length; at += idsPerCall) {
      const { data } = await call({
        method: 'GET',
        path: '/2/tweets',
        token: accessToken,
        query: { ids: missing.slice(at, at + idsPerCall).join(','), 'tweet.fields': fields },
        answer: measuredPosts,
      });
      for (const post of data) {
        found.set(post.id, post);
      }
    }
  }

  return ids.map((id) => metricsOf(found.get(id)));
}

function metricsOf(post: Measured | undefined): PostMetrics | undefined {
  const figures = post?.public_metrics;

  return figures === undefined
    ? undefined
    : {
        likes: figures.like_count,
        comments: figures.reply_count,
        shares: figures.retweet_count + figures.quote_count,
        clicks: post?.non_public_metrics?.url_link_clicks ?? null,
        reach: null,
        impressions: figures.impression_count,
      };
}
