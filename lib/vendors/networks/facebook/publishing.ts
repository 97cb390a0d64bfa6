import { isSameText } from '#lib/platform/characters.ts';
import { secondMs } from '#lib/platform/clock.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { mediaKindAt } from '#lib/vendors/networks/media-type.ts';
import { mediaTimeoutMs, pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type {
  CommitOutcome,
  Credentials,
  ProbeOutcome,
  Publication,
  Published,
  PublishingApi,
} from '#lib/vendors/networks/network.ts';
import { ifFound, MediaError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';
import { listPostsSince } from './metrics.ts';
import { commitSpecial, prepareSpecial, probeSpecial, specialTypeOf } from './reels-and-stories.ts';

const pollIntervalMs = 15 * secondMs;
/** Allows for clock differences. Facebook's timestamps have no milliseconds. */
const clockSkewMs = 5 * secondMs;

const handleSchema = z.object({
  photoIds: z.array(z.string()).default([]),
  /** True if the only media file is a video. */
  isVideo: z.boolean().default(false),
  /** A video that Facebook is processing. */
  videoId: z.string().optional(),
});
const created = z.object({ id: z.string() });
const published = z.object({ id: z.string(), permalink_url: z.string().optional() });
const videoState = z.object({
  status: z.object({ video_status: z.string() }),
  post_id: z.string().optional(),
  permalink_url: z.string().optional(),
});

/** Uploads photos without publishing them. Text and videos need no preparation. */
export const prepare: PublishingApi['prepare'] = async (credentials, publication, handle = {}) => {
  if (specialTypeOf(publication)) {
    return prepareSpecial(credentials, publication, handle);
  }
  const { photoIds } = handleSchema.parse(handle);
  const kinds = await Promise.all(publication.mediaUrls.map(mediaKindAt));
  if (!kinds.includes('video')) {
    const missing = publication.mediaUrls
      .map((url, index) => ({ url, altText: publication.media?.[index]?.altText }))
      .slice(photoIds.length);
    const added = await Promise.all(missing.map((photo) => uploadPhoto(credentials, photo)));

    return { state: 'ready', handle: { photoIds: [...photoIds, ...added] } };
  }
  if (kinds.length > 1) {
    throw new MediaError(platform, 'refused', {
      message: 'A post can contain either one video or only photos',
    });
  }

  return { state: 'ready', handle: { isVideo: true } };
};

type Photo = { readonly url: string; readonly altText: string | undefined };

async function uploadPhoto(credentials: Credentials, { url, altText }: Photo): Promise<string> {
  const answer = await call(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'photos'),
    form: { url, published: 'false', alt_text_custom: altText },
    isHarmless: true,
    timeoutMs: mediaTimeoutMs(),
  });

  return readAnswer(platform, created, answer).id;
}

/** Publishes text and photos, or submits a video for processing. */
export const commit: PublishingApi['commit'] = async (credentials, publication, handle) => {
  if (specialTypeOf(publication)) {
    return commitSpecial(credentials, publication, handle);
  }
  const [mediaUrl] = publication.mediaUrls;
  const { photoIds, isVideo } = handleSchema.parse(handle);
  if (mediaUrl !== undefined && isVideo) {
    return sendVideo(credentials, publication, mediaUrl);
  }
  const attached = photoIds.map((id) => ({ media_fbid: id }));
  const answer = await call(credentials, {
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
  const answer = await call(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'videos'),
    form: { file_url: url, description: publication.text },
    timeoutMs: mediaTimeoutMs(),
  });
  const { id } = readAnswer(platform, created, answer, 'outcomeUnknown');

  return { state: 'processing', handle: { videoId: id }, retryAfterMs: pollIntervalMs };
}

/**
 * Looks for a post with the same text, because a feed has no other trace of a call without a
 * response. A missing post is `unknown`, because the call may still be in progress.
 */
export const probe: PublishingApi['probe'] = async (credentials, publication, handle, since) => {
  if (specialTypeOf(publication)) {
    return probeSpecial(credentials, publication, handle);
  }
  const { videoId } = handleSchema.parse(handle);
  if (videoId !== undefined) {
    return probeVideo(credentials, videoId);
  }
  const earliest = Date.parse(since) - clockSkewMs;
  const posts = await listPostsSince(credentials, earliest);
  const match = posts.find(
    (post) => isSameText(post.text, publication.text) && Date.parse(post.publishedAt) >= earliest,
  );

  return match ? publishedAs(match.platformPostId, match.url) : { state: 'unknown' };
};

/**
 * A video and its post have different ids. A finished video without a post is still processing.
 *
 * Unverified: the format of `post_id` (clients have seen two) and the names of the states. See
 * docs/operations.md.
 */
async function probeVideo(credentials: Credentials, videoId: string): Promise<ProbeOutcome> {
  const answer = await call(credentials, {
    path: pathOf(videoId),
    query: { fields: 'status,post_id,permalink_url' },
  });
  const { status, post_id: postId, permalink_url: url } = readAnswer(platform, videoState, answer);
  if (status.video_status === 'error' || status.video_status === 'expired') {
    return { state: 'failed', reason: `The video ended with status ${status.video_status}` };
  }
  if (status.video_status !== 'ready' || postId === undefined) {
    return { state: 'processing', retryAfterMs: pollIntervalMs };
  }
  const isWhole = postId.includes('_');

  return publishedAs(isWhole ? postId : `${credentials.platformUserId}_${postId}`, absolute(url));
}

/** Facebook returns a video's URL as a path. */
function absolute(url: string | undefined): string | undefined {
  return url?.startsWith('/') ? `https://www.facebook.com${url}` : url;
}

function publishedAs(platformPostId: string, url: string | null | undefined): Published {
  return { state: 'published', platformPostId, url: url ?? null };
}

/**
 * Deletes a post. Meta returns one error for posts that are deleted, hidden from this token, or not
 * deletable. So this checks that the post is gone before it reports that.
 *
 * @throws NetworkError `notFound` only if the post does not exist.
 */
export const deletePost: PublishingApi['deletePost'] = async (credentials, platformPostId) => {
  try {
    await call(credentials, { method: 'DELETE', path: pathOf(platformPostId) });
  } catch (failure) {
    if (failure instanceof NetworkError && failure.kind === 'notFound') {
      await requireGone(credentials, platformPostId);
    }
    throw failure;
  }
};

/** @throws NetworkError if the post still exists, or if this token cannot read the page's posts. */
async function requireGone(credentials: Credentials, platformPostId: string): Promise<void> {
  const read = (...path: string[]) =>
    call(credentials, { path: pathOf(...path), query: { fields: 'id' } });
  const [post] = await Promise.all([
    ifFound(read(platformPostId)),
    read(credentials.platformUserId, 'published_posts'),
  ]);
  if (post) {
    throw new NetworkError(platform, 'refused', {
      message: 'Facebook does not allow deleting this post through its API',
    });
  }
}
