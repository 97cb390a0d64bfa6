import { secondMs } from '#lib/platform/clock.ts';
import { collectPosts } from '#lib/vendors/networks/collect-posts.ts';
import { epochMs } from '#lib/vendors/networks/lenient-fields.ts';
import type { Credentials, MetricsApi, PostMetrics } from '#lib/vendors/networks/network.ts';
import { ifFound } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call } from './call.ts';
import { readStatus } from './publish-status.ts';
import { readUser } from './tokens.ts';

const idsPerCall = 20;

const count = z.number().default(0);
/** Seconds since the epoch, converted to milliseconds. */
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
    cursor: z.number().optional(),
    has_more: z.boolean().default(false),
  }),
});

export const fetchAccountMetrics: MetricsApi['fetchAccountMetrics'] = async (credentials) => {
  const user = await readUser(credentials, 'open_id,follower_count,likes_count,video_count');

  return {
    followers: user.follower_count ?? null,
    posts: user.video_count ?? null,
    // Likes are the only account-wide engagement metric that TikTok reports.
    engagement: user.likes_count ?? null,
    reach: null,
    clicks: null,
  };
};

/** Returns the account's public posts, newest first. The cursor is a time in milliseconds. */
export const listRecentPosts: MetricsApi['listRecentPosts'] = ({ accessToken }, range) =>
  collectPosts(range, async (cursor) => {
    const { data } = await call(accessToken, {
      method: 'POST',
      path: '/v2/video/list/',
      query: { fields: 'id,title,video_description,create_time,share_url' },
      json: { max_count: idsPerCall, ...(cursor === undefined ? {} : { cursor: Number(cursor) }) },
      isHarmless: true,
      answer: listed,
    });
    const posts = data.videos.map((video) => ({
      platformPostId: video.id,
      text: video.video_description || video.title,
      publishedAt: new Date(video.create_time).toISOString(),
      url: video.share_url ?? null,
    }));

    return { posts, next: data.has_more ? data.cursor?.toString() : undefined };
  });

/** Returns metrics in the order of the ids. An id may be a video id or a publish id. */
export const fetchPostMetrics: MetricsApi['fetchPostMetrics'] = async (credentials, ids) => {
  const videoIds = await Promise.all(ids.map((id) => videoIdOf(credentials, id)));
  const wanted = videoIds.filter((id) => id !== undefined);
  const found = new Map<string, PostMetrics>();
  for (let at = 0; at < wanted.length; at += idsPerCall) {
    const { data } = await call(credentials.accessToken, {
      method: 'POST',
      path: '/v2/video/query/',
      query: { fields: 'id,like_count,comment_count,share_count,view_count' },
      json: { filters: { video_ids: wanted.slice(at, at + idsPerCall) } },
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
};

/**
 * Resolves a publish id to a video id. A post has only a publish id until moderation has ended, and
 * a private post never gets a video id. Video ids consist of digits.
 */
async function videoIdOf(credentials: Credentials, id: string): Promise<string | undefined> {
  if (/^\d+$/.test(id)) {
    return id;
  }

  return (await ifFound(readStatus(credentials, id)))?.postId;
}
