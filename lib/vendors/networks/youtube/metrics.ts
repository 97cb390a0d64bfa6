import { timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { collectPosts } from '#lib/vendors/networks/collect-posts.ts';
import { timestampText } from '#lib/vendors/networks/lenient-fields.ts';
import type { Credentials, MetricsApi, PostMetrics } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, callGoogle, platform } from './call.ts';
import { idsPerCall, requireChannel, subscribersOf } from './channels.ts';

const count = z.coerce.number().optional();
/** A day before the first video on YouTube. */
const firstDay = '2005-04-01';
const videoList = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        statistics: z
          .object({ viewCount: count, likeCount: count, commentCount: count })
          .default({}),
      }),
    )
    .default([]),
});
const playlistItems = z.object({
  items: z
    .array(
      z.object({
        snippet: z.object({
          title: z.string().default(''),
          description: z.string().default(''),
          publishedAt: timestampText,
          resourceId: z.object({ videoId: z.string() }),
        }),
        status: z.object({ privacyStatus: z.string().optional() }).default({}),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
});
const report = z.object({
  rows: z.array(z.array(z.union([z.string(), z.number()]))).optional(),
});

export const fetchAccountMetrics: MetricsApi['fetchAccountMetrics'] = async (credentials) => {
  const [channel, rows] = await Promise.all([
    requireChannel(credentials, 'statistics'),
    reportOf(credentials, { metrics: 'likes,comments,shares' }),
  ]);
  const engagement = rows?.[0]?.reduce<number>((sum, value) => sum + Number(value), 0);

  return {
    followers: subscribersOf(channel),
    posts: channel.statistics?.videoCount ?? null,
    engagement: engagement ?? null,
    reach: null,
    clicks: null,
  };
};

/**
 * Reads the channel's playlist of uploads, which costs 1 quota unit per page. Searches are limited
 * to 100 per day.
 */
export const listRecentPosts: MetricsApi['listRecentPosts'] = async (credentials, range) => {
  const { contentDetails } = await requireChannel(credentials, 'contentDetails');
  const playlistId = contentDetails?.relatedPlaylists?.uploads;
  if (playlistId === undefined) {
    return [];
  }

  return collectPosts(range, async (pageToken) => {
    const answer = await call(credentials, {
      path: '/playlistItems',
      query: { part: 'snippet,status', playlistId, maxResults: idsPerCall, pageToken },
    });
    const { items, nextPageToken } = readAnswer(platform, playlistItems, answer);
    const posts = items.map(({ snippet, status }) => ({
      platformPostId: snippet.resourceId.videoId,
      text: snippet.description || snippet.title,
      publishedAt: new Date(snippet.publishedAt).toISOString(),
      url: watchUrl(snippet.resourceId.videoId),
      ...(status.privacyStatus === 'private' ? { isPrivate: true } : {}),
    }));

    return { posts, next: nextPageToken };
  });
};

export const fetchPostMetrics: MetricsApi['fetchPostMetrics'] = async (credentials, videoIds) => {
  const known = new Map<string, PostMetrics>();
  const batches = Array.from({ length: Math.ceil(videoIds.length / idsPerCall) }, (_, index) =>
    videoIds.slice(index * idsPerCall, (index + 1) * idsPerCall),
  );
  await Promise.all(
    batches.map(async (ids) => {
      const [videos, shares] = await Promise.all([
        statisticsOf(credentials, ids),
        sharesOf(credentials, ids),
      ]);
      for (const { id, statistics } of videos) {
        known.set(id, {
          likes: statistics.likeCount ?? null,
          comments: statistics.commentCount ?? null,
          shares: shares.get(id) ?? null,
          clicks: null,
          reach: null,
          impressions: statistics.viewCount ?? null,
        });
      }
    }),
  );

  return videoIds.map((id) => known.get(id));
};

/**
 * Returns the viewers of a video. YouTube reports nothing about videos with few views.
 *
 * @see https://developers.google.com/youtube/analytics/channel_reports
 */
export const fetchDemographics: Required<MetricsApi>['fetchDemographics'] = async (
  credentials,
  videoId,
) => {
  const sharesBy = async (dimension: 'ageGroup' | 'gender') => {
    const rows = await reportOf(credentials, {
      metrics: 'viewerPercentage',
      dimensions: dimension,
      filters: `video==${videoId}`,
    });

    return Object.fromEntries(
      (rows ?? []).map(([name, share]) => [String(name).replace(/^age/, ''), Number(share)]),
    );
  };
  const [ageGroups, genders] = await Promise.all([sharesBy('ageGroup'), sharesBy('gender')]);

  return { ageGroups, genders };
};

export function watchUrl(videoId: string): string {
  return `https://www.youtube.com/watch?v=${videoId}`;
}

async function statisticsOf(credentials: Credentials, ids: readonly string[]) {
  const answer = await call(credentials, {
    path: '/videos',
    query: { part: 'statistics', id: ids.join(',') },
  });

  return readAnswer(platform, videoList, answer).items;
}

/**
 * Reads shares from the Analytics API, because the Data API does not return them. Reports lag by a
 * day or two, and omit videos without shares.
 */
async function sharesOf(
  credentials: Credentials,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const rows = await reportOf(credentials, {
    metrics: 'shares',
    dimensions: 'video',
    filters: `video==${ids.join(',')}`,
    // Unverified: that a report by video requires both parameters. See docs/operations.md.
    sort: '-shares',
    maxResults: String(idsPerCall),
  });
  const none = ids.map((id): [string, number | null] => [id, rows ? 0 : null]);

  return new Map([...none, ...(rows ?? []).map(([id, n]) => [String(id), Number(n)] as const)]);
}

/**
 * Returns the rows of a report, or `undefined` if reports are unavailable. They need a separate
 * API, scope and quota.
 */
async function reportOf(
  credentials: Credentials,
  query: Readonly<Record<string, string>>,
): Promise<ReadonlyArray<ReadonlyArray<string | number>> | undefined> {
  const { analyticsBase } = config.networks.youtube;
  try {
    const answer = await callGoogle(credentials, {
      url: `${analyticsBase}/v2/reports`,
      query: {
        ids: `channel==${credentials.platformUserId}`,
        startDate: firstDay,
        endDate: timestamp().slice(0, 10),
        ...query,
      },
    });

    return readAnswer(platform, report, answer).rows ?? [];
  } catch (failure) {
    if (failure instanceof NetworkError && failure.kind !== 'tokenInvalid') {
      return undefined;
    }
    throw failure;
  }
}
