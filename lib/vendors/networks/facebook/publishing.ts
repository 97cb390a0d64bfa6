import { secondMs } from '#lib/platform/clock.ts';
import { mediaKindOf } from '#lib/vendors/networks/media-kind.ts';
import { pathOf } from '#lib/vendors/networks/meta/path-of.ts';
import { patienceMs } from '#lib/vendors/networks/meta/patience.ts';
import type {
  CommitOutcome,
  Credentials,
  Network,
  ProbeOutcome,
  Publication,
  Published,
  RecentPost,
} from '#lib/vendors/networks/network.ts';
import { MediaError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { callFacebook } from './call.ts';

const platform = 'FACEBOOK';
const videoPollMs = 15 * secondMs;
const recentPosts = 50;
/** Facebook's clock and this one's may differ by so much; its times are whole seconds. */
const clockSkewMs = 5 * secondMs;

const handleSchema = z.object({
  photoIds: z.array(z.string()).default([]),
  /** A video that was sent, and is being processed. */
  videoId: z.string().optional(),
});
const created = z.object({ id: z.string() });
const published = z.object({ id: z.string(), permalink_url: z.string().optional() });
const listed = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      message: z.string().default(''),
      created_time: z.string(),
      permalink_url: z.string().optional(),
    }),
  ),
});
const videoState = z.object({
  status: z.object({ video_status: z.string() }),
  post_id: z.string().optional(),
  permalink_url: z.string().optional(),
});

/** Uploads photos where nobody sees them. A text needs nothing, and a video is one call. */
export const prepareFacebookPost: Network['prepare'] = async (
  credentials,
  publication,
  handle = {},
) => {
  const { photoIds } = handleSchema.parse(handle);
  const kinds = publication.mediaUrls.map(mediaKindOf);
  if (!kinds.includes('video')) {
    const missing = publication.mediaUrls.slice(photoIds.length);
    const added = await Promise.all(missing.map((url) => uploadPhoto(credentials, url)));

    return { state: 'ready', handle: { photoIds: [...photoIds, ...added] } };
  }
  if (kinds.length > 1) {
    throw new MediaError(platform, 'refused', {
      message: 'A post can have one video or only photos',
    });
  }

  return { state: 'ready', handle: {} };
};

async function uploadPhoto(credentials: Credentials, url: string): Promise<string> {
  const answer = await callFacebook(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'photos'),
    form: { url, published: 'false' },
    isHarmless: true,
    timeoutMs: patienceMs(),
  });

  return readAnswer(platform, created, answer).id;
}

export const commitFacebookPost: Network['commit'] = async (credentials, publication, handle) => {
  const [mediaUrl] = publication.mediaUrls;
  if (mediaUrl !== undefined && mediaKindOf(mediaUrl) === 'video') {
    return sendVideo(credentials, publication, mediaUrl);
  }
  const { photoIds } = handleSchema.parse(handle);
  const attached = photoIds.map((id) => ({ media_fbid: id }));
  const answer = await callFacebook(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'feed'),
    form: {
      message: publication.text,
      attached_media: attached.length > 0 ? JSON.stringify(attached) : undefined,
      fields: 'id,permalink_url',
    },
  });
  const post = readAnswer(platform, published, answer, 'outcomeUnknown');

  return publishedAs(post.id, post.permalink_url);
};

async function sendVideo(
  credentials: Credentials,
  publication: Publication,
  url: string,
): Promise<CommitOutcome> {
  const answer = await callFacebook(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'videos'),
    form: { file_url: url, description: publication.text },
    timeoutMs: patienceMs(),
  });
  const { id } = readAnswer(platform, created, answer, 'outcomeUnknown');

  return { state: 'processing', handle: { videoId: id }, retryAfterMs: videoPollMs };
}

/**
 * A feed gives no witness of a call whose answer was lost: a post with the same text since then is
 * taken for it. That there is none proves nothing, as the call may still be on its way.
 */
export const probeFacebookPost: Network['probe'] = async (
  credentials,
  publication,
  handle,
  since,
) => {
  const { videoId } = handleSchema.parse(handle);
  if (videoId !== undefined) {
    return probeVideo(credentials, videoId);
  }
  const earliest = Date.parse(since) - clockSkewMs;
  const posts = await listFacebookPosts(credentials, earliest);
  const match = posts.find(
    (post) =>
      sameText(post.text) === sameText(publication.text) &&
      Date.parse(post.publishedAt) >= earliest,
  );

  return match ? publishedAs(match.platformPostId, match.url) : { state: 'unknown' };
};

/** M: `post_id`, and the names of the states. */
async function probeVideo(credentials: Credentials, videoId: string): Promise<ProbeOutcome> {
  const answer = await callFacebook(credentials, {
    method: 'GET',
    path: pathOf(videoId),
    query: { fields: 'status,post_id,permalink_url' },
  });
  const { status, post_id: postId, permalink_url: url } = readAnswer(platform, videoState, answer);
  if (status.video_status === 'error' || status.video_status === 'expired') {
    return { state: 'failed', reason: `The video ended with status ${status.video_status}` };
  }
  if (status.video_status !== 'ready') {
    return { state: 'processing', retryAfterMs: videoPollMs };
  }

  return publishedAs(`${credentials.platformUserId}_${postId ?? videoId}`, absolute(url));
}

/** A video's address comes without the site. */
function absolute(url: string | undefined): string | undefined {
  return url?.startsWith('/') ? `https://www.facebook.com${url}` : url;
}

function publishedAs(platformPostId: string, url: string | null | undefined): Published {
  return { state: 'published', platformPostId, url: url ?? null };
}

function sameText(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** The page's latest posts, newest first. M: that `since` is taken here. */
export async function listFacebookPosts(
  credentials: Credentials,
  sinceMs?: number,
): Promise<readonly RecentPost[]> {
  const answer = await callFacebook(credentials, {
    method: 'GET',
    path: pathOf(credentials.platformUserId, 'published_posts'),
    query: {
      fields: 'id,message,created_time,permalink_url',
      limit: recentPosts,
      since: sinceMs === undefined ? undefined : Math.floor(sinceMs / secondMs),
    },
  });

  return readAnswer(platform, listed, answer).data.map((post) => ({
    platformPostId: post.id,
    text: post.message,
    publishedAt: new Date(post.created_time.replace(/\+0000$/, 'Z')).toISOString(),
    url: post.permalink_url ?? null,
  }));
}

export async function deleteFacebookPost(
  credentials: Credentials,
  platformPostId: string,
): Promise<void> {
  await callFacebook(credentials, { method: 'DELETE', path: pathOf(platformPostId) });
}
