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
import { ifFound } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const concurrentPosts = 10;

const insights = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      values: z.array(z.object({ value: z.number() })).optional(),
      total_value: z.object({ value: z.number() }).optional(),
    }),
  ),
});
const maxRecentPosts = 50;
const listed = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      caption: z.string().default(''),
      timestamp: z.string(),
      permalink: z.string().optional(),
    }),
  ),
  paging,
});
const accountFields = z.object({
  followers_count: z.number().optional(),
  media_count: z.number().optional(),
});

/** Clicks are always `null`: Instagram captions cannot contain links. */
export const fetchPostMetrics: MetricsApi['fetchPostMetrics'] = (credentials, platformPostIds) =>
  atMostAtOnce(concurrentPosts, platformPostIds, (mediaId) =>
    ifFound(metricsOf(credentials, mediaId)),
  );

async function metricsOf(credentials: Credentials, mediaId: string): Promise<PostMetrics> {
  const values = await readInsights(credentials, mediaId, {
    metric: 'views,reach,likes,comments,shares',
  });
  const latest = (name: string) => values.get(name) ?? null;

  return {
    likes: latest('likes'),
    comments: latest('comments'),
    shares: latest('shares'),
    clicks: null,
    reach: latest('reach'),
    impressions: latest('views'),
  };
}

export const fetchAccountMetrics: MetricsApi['fetchAccountMetrics'] = async (credentials) => {
  const { platformUserId } = credentials;
  const [account, reach, totals] = await Promise.all([
    call(credentials, {
      path: pathOf(platformUserId),
      query: { fields: 'followers_count,media_count' },
    }),
    readInsights(credentials, platformUserId, { metric: 'reach', period: 'day' }),
    readInsights(credentials, platformUserId, {
      metric: 'likes,comments,shares,saves,replies',
      metric_type: 'total_value',
      period: 'day',
    }),
  ]);
  const { followers_count: followers, media_count: posts } = readAnswer(
    platform,
    accountFields,
    account,
  );

  return {
    followers: followers ?? null,
    posts: posts ?? null,
    engagement: [...totals.values()].reduce((sum, value) => sum + value, 0),
    reach: reach.get('reach') ?? null,
    clicks: null,
  };
};

/** Returns the latest value of each metric. */
async function readInsights(
  credentials: Credentials,
  objectId: string,
  query: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, number>> {
  const answer = await call(credentials, {
    path: pathOf(objectId, 'insights'),
    query,
  });

  return new Map(
    readAnswer(platform, insights, answer).data.flatMap(({ name, values, total_value: total }) => {
      const value = total?.value ?? values?.at(-1)?.value;

      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Returns the stories of the last 24 hours. */
export async function listStories(credentials: Credentials): Promise<readonly RecentPost[]> {
  const { posts } = await readPosts(credentials, 'stories', undefined);

  return posts;
}

/** Returns the account's posts, newest first, without stories. */
export const listRecentPosts: MetricsApi['listRecentPosts'] = (credentials, range) =>
  collectPosts(range, (after) => readPosts(credentials, 'media', after));

async function readPosts(
  credentials: Credentials,
  edge: 'media' | 'stories',
  after: string | undefined,
) {
  const answer = await call(credentials, {
    path: pathOf(credentials.platformUserId, edge),
    query: { fields: 'id,caption,timestamp,permalink', limit: maxRecentPosts, after },
  });
  const { data, paging: pages } = readAnswer(platform, listed, answer);
  const posts = data.map((post) => ({
    platformPostId: post.id,
    text: post.caption,
    publishedAt: new Date(post.timestamp.replace(/\+0000$/, 'Z')).toISOString(),
    url: post.permalink ?? null,
  }));

  return { posts, next: nextCursorOf(pages) };
}
