import { timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { moment } from '#lib/vendors/networks/moments.ts';
import type {
  AccountFigures,
  Credentials,
  NetworkPage,
  PostMetrics,
  RecentPost,
} from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { callGoogle, callYouTube } from './call.ts';

/** The API's own limit for a list of ids. */
const idsAtOnce = 50;
/** Before the first video of all. */
const firstDay = '2005-04-01';

/** Counts come as strings; one that the channel hides is missing. */
const count = z.coerce.number().optional();
const channelList = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        snippet: z.object({ title: z.string().optional() }).optional(),
        statistics: z
          .object({
            subscriberCount: count,
            hiddenSubscriberCount: z.boolean().optional(),
            videoCount: count,
          })
          .optional(),
        contentDetails: z
          .object({ relatedPlaylists: z.object({ uploads: z.string().optional() }).optional() })
          .optional(),
      }),
    )
    .default([]),
});
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
          publishedAt: moment,
          resourceId: z.object({ videoId: z.string() }),
        }),
      }),
    )
    .default([]),
});
const report = z.object({
  rows: z.array(z.array(z.union([z.string(), z.number()]))).optional(),
});

type Channel = z.output<typeof channelList>['items'][number];

/** The channels of the token's user. */
export async function listChannels(
  credentials: Pick<Credentials, 'accessToken'>,
  part = 'id',
): Promise<readonly Channel[]> {
  const answer = await callYouTube(credentials, {
    method: 'GET',
    path: '/channels',
    query: { part, mine: 'true', maxResults: idsAtOnce },
  });

  return readAnswer('YOUTUBE', channelList, answer).items;
}

export async function listPages(credentials: Credentials): Promise<readonly NetworkPage[]> {
  const channels = await listChannels(credentials, 'snippet,statistics');

  return channels.map((channel) => ({
    platformPageId: channel.id,
    name: channel.snippet?.title ?? channel.id,
    category: null,
    url: `https://www.youtube.com/channel/${channel.id}`,
    isActive: true,
    followersCount: subscribersOf(channel),
    lastPostDate: null,
  }));
}

export async function fetchAccountFigures(credentials: Credentials): Promise<AccountFigures> {
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
}

/** From the channel's own list of uploads, which costs 1 unit; a search has 100 a day. */
export async function listRecentPosts(credentials: Credentials): Promise<readonly RecentPost[]> {
  const { contentDetails } = await requireChannel(credentials, 'contentDetails');
  const playlistId = contentDetails?.relatedPlaylists?.uploads;
  if (playlistId === undefined) {
    return [];
  }
  const answer = await callYouTube(credentials, {
    method: 'GET',
    path: '/playlistItems',
    query: { part: 'snippet', playlistId, maxResults: idsAtOnce },
  });

  return readAnswer('YOUTUBE', playlistItems, answer).items.map(({ snippet }) => ({
    platformPostId: snippet.resourceId.videoId,
    text: snippet.description || snippet.title,
    publishedAt: new Date(snippet.publishedAt).toISOString(),
    url: watchUrl(snippet.resourceId.videoId),
  }));
}

export async function fetchPostMetrics(
  credentials: Credentials,
  videoIds: readonly string[],
): Promise<ReadonlyArray<PostMetrics | undefined>> {
  const known = new Map<string, PostMetrics>();
  const batches = Array.from({ length: Math.ceil(videoIds.length / idsAtOnce) }, (_, index) =>
    videoIds.slice(index * idsAtOnce, (index + 1) * idsAtOnce),
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
}

export function watchUrl(videoId: string): string {
  return `https://www.youtube.com/watch?v=${videoId}`;
}

async function statisticsOf(credentials: Credentials, ids: readonly string[]) {
  const answer = await callYouTube(credentials, {
    method: 'GET',
    path: '/videos',
    query: { part: 'statistics', id: ids.join(',') },
  });

  return readAnswer('YOUTUBE', videoList, answer).items;
}

/** The Data API does not count shares; the reports lag by a day or two, and have no row for none. */
async function sharesOf(
  credentials: Credentials,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const rows = await reportOf(credentials, {
    metrics: 'shares',
    dimensions: 'video',
    filters: `video==${ids.join(',')}`,
    // From memory: a report by video must have both. To be checked before going live.
    sort: '-shares',
    maxResults: String(idsAtOnce),
  });
  const none = ids.map((id): [string, number | null] => [id, rows ? 0 : null]);

  return new Map([...none, ...(rows ?? []).map(([id, n]) => [String(id), Number(n)] as const)]);
}

/** `undefined` where the reports cannot be had: they are an API, a scope and a quota of their own. */
async function reportOf(
  credentials: Credentials,
  query: Readonly<Record<string, string>>,
): Promise<ReadonlyArray<ReadonlyArray<string | number>> | undefined> {
  const { analyticsBase } = config.networks.youtube;
  try {
    const answer = await callGoogle(credentials, {
      method: 'GET',
      url: `${analyticsBase}/v2/reports`,
      query: {
        ids: `channel==${credentials.platformUserId}`,
        startDate: firstDay,
        endDate: timestamp().slice(0, 10),
        ...query,
      },
    });

    return readAnswer('YOUTUBE', report, answer).rows ?? [];
  } catch (failure) {
    if (failure instanceof NetworkError && failure.kind !== 'tokenInvalid') {
      return undefined;
    }
    throw failure;
  }
}

async function requireChannel(credentials: Credentials, part: string): Promise<Channel> {
  const answer = await callYouTube(credentials, {
    method: 'GET',
    path: '/channels',
    query: { part, id: credentials.platformUserId },
  });
  const [channel] = readAnswer('YOUTUBE', channelList, answer).items;
  if (!channel) {
    throw new NetworkError('YOUTUBE', 'notFound', { message: 'YouTube has no such channel' });
  }

  return channel;
}

function subscribersOf({ statistics }: Channel): number | null {
  return statistics?.hiddenSubscriberCount ? null : (statistics?.subscriberCount ?? null);
}
