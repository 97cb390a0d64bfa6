import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { pathOf } from '#lib/vendors/networks/meta/path-of.ts';
import type { AccountFigures, Credentials, PostMetrics } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { callFacebook } from './call.ts';

const platform = 'FACEBOOK';
const postsAtOnce = 10;

const insights = z.object({
  data: z.array(z.object({ name: z.string(), values: z.array(z.object({ value: z.unknown() })) })),
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

/** Two calls for each post: what everybody sees, and what only the page is told. */
export function fetchFacebookMetrics(
  credentials: Credentials,
  platformPostIds: readonly string[],
): Promise<ReadonlyArray<PostMetrics | undefined>> {
  return atMostAtOnce(postsAtOnce, platformPostIds, async (postId) => {
    try {
      return await metricsOf(credentials, postId);
    } catch (failure) {
      if (failure instanceof NetworkError && failure.kind === 'notFound') {
        return undefined;
      }
      throw failure;
    }
  });
}

async function metricsOf(credentials: Credentials, postId: string): Promise<PostMetrics> {
  const [post, figures] = await Promise.all([
    callFacebook(credentials, {
      method: 'GET',
      path: pathOf(postId),
      query: { fields: 'shares,comments.summary(true),reactions.summary(true)' },
    }),
    readPostInsights(credentials, postId),
  ]);
  const { shares, comments, reactions } = readAnswer(platform, postFields, post);

  return {
    likes: reactions?.summary.total_count ?? 0,
    comments: comments?.summary.total_count ?? 0,
    // The field is left out while there is none.
    shares: shares?.count ?? 0,
    clicks: figures.get('post_clicks') ?? null,
    reach: figures.get('post_total_media_view_unique') ?? null,
    impressions: figures.get('post_media_view') ?? null,
  };
}

const knownInsights = ['post_total_media_view_unique', 'post_clicks'];

/**
 * M: post_media_view, the post's name for what the page has as page_media_view. Where Meta does not
 * know it, the other figures must not go missing with it.
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

/** The latest value of each figure. */
async function readInsights(
  credentials: Credentials,
  objectId: string,
  metrics: readonly string[],
  period?: 'day',
): Promise<ReadonlyMap<string, number>> {
  const answer = await callFacebook(credentials, {
    method: 'GET',
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

/** M: `summary.total_count` of the posts. */
export async function fetchFacebookFigures(credentials: Credentials): Promise<AccountFigures> {
  const { platformUserId: pageId } = credentials;
  const [page, posts, figures] = await Promise.all([
    callFacebook(credentials, {
      method: 'GET',
      path: pathOf(pageId),
      query: { fields: 'fan_count,followers_count' },
    }),
    callFacebook(credentials, {
      method: 'GET',
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
    engagement: figures.get('page_post_engagements') ?? null,
    reach: figures.get('page_total_media_view_unique') ?? null,
    clicks: null,
  };
}
