import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { pathOf } from '#lib/vendors/networks/meta/path-of.ts';
import type { AccountFigures, Credentials, PostMetrics } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { callInstagram } from './call.ts';

const platform = 'INSTAGRAM';
const postsAtOnce = 10;

const insights = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      values: z.array(z.object({ value: z.number() })).optional(),
      total_value: z.object({ value: z.number() }).optional(),
    }),
  ),
});
const accountFields = z.object({
  followers_count: z.number().optional(),
  media_count: z.number().optional(),
});

/** Clicks are not told: Instagram's captions have no links. */
export function fetchInstagramMetrics(
  credentials: Credentials,
  platformPostIds: readonly string[],
): Promise<ReadonlyArray<PostMetrics | undefined>> {
  return atMostAtOnce(postsAtOnce, platformPostIds, async (mediaId) => {
    try {
      const figures = await readInsights(credentials, mediaId, {
        metric: 'views,reach,likes,comments,shares',
      });
      const figure = (name: string) => figures.get(name) ?? null;

      return {
        likes: figure('likes'),
        comments: figure('comments'),
        shares: figure('shares'),
        clicks: null,
        reach: figure('reach'),
        impressions: figure('views'),
      };
    } catch (failure) {
      if (failure instanceof NetworkError && failure.kind === 'notFound') {
        return undefined;
      }
      throw failure;
    }
  });
}

export async function fetchInstagramFigures(credentials: Credentials): Promise<AccountFigures> {
  const { platformUserId } = credentials;
  const [account, reach, totals] = await Promise.all([
    callInstagram(credentials, {
      method: 'GET',
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
}

/** The latest value of each figure. */
async function readInsights(
  credentials: Credentials,
  objectId: string,
  query: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, number>> {
  const answer = await callInstagram(credentials, {
    method: 'GET',
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
