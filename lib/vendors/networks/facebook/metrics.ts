import { secondMs } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { collectPosts } from '#lib/vendors/networks/collect-posts.ts';
import { nextCursorOf, paging, pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type {
  Credentials,
  MetricsApi,
  PostMetrics,
  RecentPost,
} from '#lib/vendors/networks/network.ts';
import { ifFound, NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const concurrentPosts = 10;

const insights = z.object({
  data: z.array(z.object({ name: z.string(), values: z.array(z.object({ value: z.unknown() })) })),
});
const maxRecentPosts = 50;
const listed = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      message: z.string().default(''),
      created_time: z.string(),
      permalink_url: z.string().optional(),
    }),
  ),
  paging,
});
const postFields = z.object({
  shares: z.object({ count: z.number() }).optional(),
  comments: z.object({ summary: z.object({ total_count: z.number() }) }).optional(),
  reactions: z.object({ summary: z.object({ total_count: z.number() }) }).optional(),
});
const pageFields = z.object({
  followers_count: z.number().optional(),
  fan_count: z.number().optional(),
});
const total = z.object({ summary: z.object({ total_count: z.number().optional() }).optional() });

/** Makes two calls per post: one for public metrics, one for the page's private insights. */
export const fetchPostMetrics: MetricsApi['fetchPostMetrics'] = (credentials, platformPostIds) =>
  atMostAtOnce(concurrentPosts, platformPostIds, (postId) =>
    ifFound(metricsOf(credentials, postId)),
  );

async function metricsOf(credentials: Credentials, postId: string): Promise<PostMetrics> {
  const [post, values] = await Promise.all([
    call(credentials, {
      path: pathOf(postId),
      query: { fields: 'shares,comments.summary(true),reactions.summary(true)' },
    }),
    readPostInsights(credentials, postId),
  ]);
  const { shares, comments, reactions } = readAnswer(platform, postFields, post);

  return {
    likes: reactions?.summary.total_count ?? 0,
    comments: comments?.summary.total_count ?? 0,
    // Facebook omits the field if there are no shares.
    shares: shares?.count ?? 0,
    clicks: values.get('post_clicks') ?? null,
    reach: values.get('post_total_media_view_unique') ?? null,
    impressions: values.get('post_media_view') ?? null,
  };
}

const knownInsights = ['post_total_media_view_unique', 'post_clicks'];

/**
 * Reads a post's insights. Retries without `post_media_view` if Meta rejects it, because one
 * unknown metric makes the whole request fail.
 *
 * Unverified: `post_media_view`, the equivalent of `page_media_view` for posts. See
 * docs/operations.md.
 */
async function readPostInsights(
  credentials: Credentials,
  postId: string,
): Promise<ReadonlyMap<string, number>> {
  try {
    return await readInsights(credentials, postId, [...knownInsights, 'post_media_view']);
  } catch (failure) {
    if (failure instanceof NetworkError && failure.kind === 'refused') {
      return readInsights(credentials, postId, knownInsights);
    }
    throw failure;
  }
}

/** Returns the latest value of each metric. */
async function readInsights(
  credentials: Credentials,
  objectId: string,
  metrics: readonly string[],
  period?: 'day',
): Promise<ReadonlyMap<string, number>> {
  const answer = await call(credentials, {
    path: pathOf(objectId, 'insights'),
    query: { metric: metrics.join(','), period },
  });

  return new Map(
    readAnswer(platform, insights, answer).data.flatMap(({ name, values }) => {
      const value = values.at(-1)?.value;

      return typeof value === 'number' ? [[name, value] as const] : [];
    }),
  );
}

/** Unverified: `summary.total_count` of the posts. See docs/operations.md. */
export const fetchAccountMetrics: MetricsApi['fetchAccountMetrics'] = async (credentials) => {
  const { platformUserId: pageId } = credentials;
  const [page, posts, values] = await Promise.all([
    call(credentials, {
      path: pathOf(pageId),
      query: { fields: 'fan_count,followers_count' },
    }),
    call(credentials, {
      path: pathOf(pageId, 'published_posts'),
      query: { fields: 'id', limit: 1, summary: 'total_count' },
    }),
    readInsights(
      credentials,
      pageId,
      ['page_total_media_view_unique', 'page_post_engagements'],
      'day',
    ),
  ]);
  const { followers_count: followers, fan_count: fans } = readAnswer(platform, pageFields, page);

  return {
    followers: followers ?? fans ?? null,
    posts: readAnswer(platform, total, posts).summary?.total_count ?? null,
    engagement: values.get('page_post_engagements') ?? null,
    reach: values.get('page_total_media_view_unique') ?? null,
    clicks: null,
  };
};

/** Returns the page's own posts, newest first. */
export const listRecentPosts: MetricsApi['listRecentPosts'] = (credentials, range) =>
  collectPosts(range, (after) => readPosts(credentials, { after }));

/**
 * Returns the page's latest posts since the given time, newest first.
 *
 * Unverified: that this endpoint accepts `since`. See docs/operations.md.
 */
export async function listPostsSince(
  credentials: Credentials,
  sinceMs: number,
): Promise<readonly RecentPost[]> {
  const { posts } = await readPosts(credentials, { since: Math.floor(sinceMs / secondMs) });

  return posts;
}

async function readPosts(
  credentials: Credentials,
  part: { readonly after?: string | undefined; readonly since?: number },
) {
  const answer = await call(credentials, {
    path: pathOf(credentials.platformUserId, 'published_posts'),
    query: {
      fields: 'id,message,created_time,permalink_url',
      limit: maxRecentPosts,
      ...part,
    },
  });
  const { data, paging: pages } = readAnswer(platform, listed, answer);
  const posts = data.map((post) => ({
    platformPostId: post.id,
    text: post.message,
    publishedAt: new Date(post.created_time.replace(/\+0000$/, 'Z')).toISOString(),
    url: post.permalink_url ?? null,
  }));

  return { posts, next: nextCursorOf(pages) };
}
