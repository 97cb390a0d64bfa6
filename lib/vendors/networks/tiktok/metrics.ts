import { secondMs } from '#lib/platform/clock.ts';
import { epochMs } from '#lib/vendors/networks/moments.ts';
import type { Credentials, PostMetrics, RecentPost } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { callTiktok } from './call.ts';
import { readStatus } from './publish-status.ts';

const videosPerCall = 20;

const count = z.number().default(0);
/** Seconds since the epoch, read as milliseconds. */
const epochSeconds = z
  .number()
  .transform((value) => value * secondMs)
  .pipe(epochMs);
const queried = z.object({
  data: z.object({
    videos: z
      .array(
        z.object({
          id: z.string(),
          like_count: count,
          comment_count: count,
          share_count: count,
          view_count: count,
        }),
      )
      .default([]),
  }),
});
const listed = z.object({
  data: z.object({
    videos: z
      .array(
        z.object({
          id: z.string(),
          title: z.string().default(''),
          video_description: z.string().default(''),
          create_time: epochSeconds,
          share_url: z.string().optional(),
        }),
      )
      .default([]),
  }),
});

/** The account's latest public posts, newest first. */
export async function listTiktokVideos({
  accessToken,
}: Credentials): Promise<readonly RecentPost[]> {
  const { data } = await callTiktok(accessToken, {
    method: 'POST',
    path: '/v2/video/list/',
    query: { fields: 'id,title,video_description,create_time,share_url' },
    json: { max_count: videosPerCall },
    isHarmless: true,
    answer: listed,
  });

  return data.videos.map((video) => ({
    platformPostId: video.id,
    text: video.video_description || video.title,
    publishedAt: new Date(video.create_time).toISOString(),
    url: video.share_url ?? null,
  }));
}

/** Figures in the order of the ids, of which some may still be ids of publications. */
export async function fetchTiktokMetrics(
  credentials: Credentials,
  ids: readonly string[],
): Promise<ReadonlyArray<PostMetrics | undefined>> {
  const videoIds = await Promise.all(ids.map((id) => videoIdOf(credentials, id)));
  const wanted = videoIds.filter((id) => id !== undefined);
  const found = new Map<string, PostMetrics>();
  for (let at = 0; at < wanted.length; at += videosPerCall) {
    const { data } = await callTiktok(credentials.accessToken, {
      method: 'POST',
      path: '/v2/video/query/',
      query: { fields: 'id,like_count,comment_count,share_count,view_count' },
      json: { filters: { video_ids: wanted.slice(at, at + videosPerCall) } },
      isHarmless: true,
      answer: queried,
    });
    for (const video of data.videos) {
      found.set(video.id, {
        likes: video.like_count,
        comments: video.comment_count,
        shares: video.share_count,
        clicks: null,
        reach: null,
        impressions: video.view_count,
      });
    }
  }

  return videoIds.map((id) => (id === undefined ? undefined : found.get(id)));
}

/**
 * A post goes by the id of its publication until moderation has ended, and a private one for good.
 * Videos have ids of digits alone.
 */
async function videoIdOf(credentials: Credentials, id: string): Promise<string | undefined> {
  if (/^\d+$/.test(id)) {
    return id;
  }
  try {
    return (await readStatus(credentials, id)).postId;
  } catch (failure) {
    if (failure instanceof NetworkError && failure.kind === 'notFound') {
      return undefined;
    }
    throw failure;
  }
}
