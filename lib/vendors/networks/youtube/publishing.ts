import { minuteMs, now, secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { readBody } from '#lib/platform/outbound/fetch-public.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import type {
  CommitOutcome,
  Credentials,
  Handle,
  ProbeOutcome,
  Publication,
  Published,
  PublishingApi,
} from '#lib/vendors/networks/network.ts';
import { ifFound, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { openMedia } from '#lib/vendors/networks/open-media.ts';
import * as z from '#schemas/zod.ts';
import { call, callGoogle, platform } from './call.ts';
import { listRecentPosts, watchUrl } from './metrics.ts';
import { askSession, incomplete, openSession, sendVideo, uploadSession } from './upload-session.ts';
import { toVideoMetadata } from './video-metadata.ts';

/** YouTube's limit. */
const maxThumbnailBytes = 2_097_152;
const pollIntervalMs = 10 * secondMs;
const clockSkewMs = 5 * secondMs;
/** YouTube may take this long to list a new video. */
const listingDelayMs = 10 * minuteMs;
const processing = z.object({ videoId: z.string(), isThumbnailSet: z.boolean().optional() });

const uploadedVideo = z.object({
  id: z.string(),
  status: z.object({ uploadStatus: z.string().optional() }).optional(),
});
const videoStates = z.object({
  items: z
    .array(
      z.object({
        status: z.object({
          uploadStatus: z.string().optional(),
          privacyStatus: z.string().optional(),
          failureReason: z.string().optional(),
          rejectionReason: z.string().optional(),
        }),
      }),
    )
    .default([]),
});

/** Opens an upload session. The video exists only after its last byte. */
export const prepare: PublishingApi['prepare'] = async (credentials, publication, handle) => {
  const known = handle && (await resume(credentials, handle));
  if (known) {
    return { state: 'ready', handle: known };
  }
  return { state: 'ready', handle: await openSession(credentials, publication) };
};

/** Streams the video from the organization's server to YouTube. */
export const commit: PublishingApi['commit'] = async (credentials, publication, handle) => {
  const done = processing.safeParse(handle).data;
  if (done) {
    return outcomeOf(credentials, publication, done.videoId);
  }
  const answer = await sendVideo(credentials, publication, uploadSession.parse(handle));
  if (answer.status === incomplete) {
    throw new NetworkError(platform, 'unavailable', {
      message: 'YouTube did not receive the whole video',
      code: String(incomplete),
    });
  }
  const { id } = readAnswer(platform, uploadedVideo, answer, 'outcomeUnknown');

  return outcomeOf(credentials, publication, id);
};

/**
 * Requests the video from the upload session. If the session no longer exists, looks in the list of
 * uploads.
 */
export const probe: PublishingApi['probe'] = async (credentials, publication, handle, since) => {
  const done = processing.safeParse(handle).data;
  if (done) {
    return withThumbnail(credentials, publication, done, () =>
      stateOf(credentials, publication, done.videoId),
    );
  }
  const opened = uploadSession.parse(handle);
  const answer = await askSession(credentials, opened);
  if (!answer) {
    return findUpload(credentials, publication, since);
  }
  if (answer.status !== incomplete) {
    return foundVideo(credentials, publication, readAnswer(platform, uploadedVideo, answer).id);
  }

  return answer.headers.get('range') === `bytes=0-${opened.totalBytes - 1}`
    ? { state: 'processing', retryAfterMs: pollIntervalMs }
    : { state: 'absent', reason: 'The upload was not completed' };
};

/** Idempotent: a missing video is not an error. */
export const deletePost: PublishingApi['deletePost'] = async (credentials, videoId) => {
  await ifFound(call(credentials, { method: 'DELETE', path: '/videos', query: { id: videoId } }));
};

/**
 * Resumes an earlier attempt: returns its video, or its session if the session is still empty. A
 * partly filled session is abandoned, because uploads always start at the first byte.
 */
async function resume(credentials: Credentials, handle: Handle): Promise<Handle | undefined> {
  const opened = uploadSession.safeParse(handle).data;
  if (!opened) {
    return processing.safeParse(handle).data;
  }
  const answer = await askSession(credentials, opened);
  if (answer?.status === incomplete) {
    return answer.headers.has('range') ? undefined : opened;
  }

  return answer && { videoId: readAnswer(platform, uploadedVideo, answer).id };
}

async function findUpload(
  credentials: Credentials,
  publication: Publication,
  since: string,
): Promise<ProbeOutcome> {
  const { description } = toVideoMetadata(publication.text);
  const sinceMs = Date.parse(since);
  const found = (await listRecentPosts(credentials)).findLast(
    (post) =>
      post.text.trim() === description.trim() &&
      Date.parse(post.publishedAt) >= sinceMs - clockSkewMs,
  );
  if (found) {
    return foundVideo(credentials, publication, found.platformPostId);
  }

  return now() - sinceMs > listingDelayMs
    ? { state: 'absent', reason: 'YouTube has no such video' }
    : { state: 'unknown' };
}

/** Returns the state of a video whose upload got no response. */
function foundVideo(
  credentials: Credentials,
  publication: Publication,
  videoId: string,
): Promise<ProbeOutcome> {
  return withThumbnail(credentials, publication, { videoId }, () =>
    stateOf(credentials, publication, videoId),
  );
}

/** Sets the thumbnail after YouTube has processed the video, unless the commit has set it. */
async function withThumbnail(
  credentials: Credentials,
  publication: Publication,
  { videoId, isThumbnailSet = false }: z.output<typeof processing>,
  read: () => Promise<ProbeOutcome>,
): Promise<ProbeOutcome> {
  const outcome = await read();
  if (outcome.state === 'published' && !isThumbnailSet) {
    await setThumbnail(credentials, publication, videoId);
  }

  return outcome;
}

/** Reads the state of an uploaded video. If that fails, the video counts as processing. */
async function outcomeOf(
  credentials: Credentials,
  publication: Publication,
  videoId: string,
): Promise<CommitOutcome> {
  const isThumbnailSet = await setThumbnail(credentials, publication, videoId);
  const pending = {
    state: 'processing',
    handle: { videoId, ...(isThumbnailSet ? { isThumbnailSet } : {}) },
    retryAfterMs: pollIntervalMs,
  } as const;
  try {
    const state = await stateOf(credentials, publication, videoId);

    return state.state === 'published' ? state : pending;
  } catch (failure) {
    if (failure instanceof NetworkError) {
      return pending;
    }
    throw failure;
  }
}

/**
 * Returns the state of a video. YouTube processes a video before it is visible, and may reject or
 * lock it: videos of API projects without an audit stay private, whatever was requested.
 */
async function stateOf(
  credentials: Credentials,
  { settings }: Publication,
  videoId: string,
): Promise<ProbeOutcome> {
  const answer = await call(credentials, {
    path: '/videos',
    query: { part: 'status', id: videoId },
  });
  const [video] = readAnswer(platform, videoStates, answer).items;
  const { uploadStatus, privacyStatus, failureReason, rejectionReason } = video?.status ?? {};
  if (uploadStatus === undefined) {
    return { state: 'unknown' };
  }
  if (uploadStatus === 'processed') {
    const isLocked = privacyStatus === 'private' && settings?.privacyStatus !== 'private';

    return isLocked ? lockedPrivate(videoId) : published(videoId);
  }
  if (uploadStatus === 'uploaded') {
    return { state: 'processing', retryAfterMs: pollIntervalMs };
  }
  const reason = rejectionReason ?? failureReason;

  return { state: 'failed', reason: `The video was ${uploadStatus}${reason ? `: ${reason}` : ''}` };
}

function lockedPrivate(videoId: string): ProbeOutcome {
  const reason = [
    `YouTube locked the video to private, so nobody else can see it: ${watchUrl(videoId)}.`,
    'This happens to API projects that have not passed an audit.',
    'Ask the operator to request the audit, then delete the video and publish the post again.',
  ].join(' ');

  return { state: 'lockedPrivate', reason };
}

function published(videoId: string): Published {
  return { state: 'published', platformPostId: videoId, url: watchUrl(videoId) };
}

/**
 * Sets the thumbnail of an uploaded video. Repeating it has no further effect. After a failure, the
 * video keeps the thumbnail that YouTube chose.
 *
 * @returns false if YouTube did not set it.
 */
async function setThumbnail(
  credentials: Credentials,
  { cover }: Publication,
  videoId: string,
): Promise<boolean> {
  if (!cover) {
    return false;
  }
  try {
    const timeoutMs = config.networkUploadTimeoutMs;
    const { body } = await openMedia(platform, cover.url, {
      timeoutMs,
      maxBytes: maxThumbnailBytes,
    });
    const content = new Uint8Array(await readBody(body));
    await callGoogle(credentials, {
      method: 'POST',
      url: `${config.networks.youtube.uploadBase}/upload/youtube/v3/thumbnails/set`,
      query: { videoId, uploadType: 'media' },
      bytes: { content, contentType: cover.contentType },
      timeoutMs,
      isHarmless: true,
    });

    return true;
  } catch (failure) {
    logger.warn('The thumbnail of a video was not set', {
      videoId,
      failure: describeFailure(failure),
    });

    return false;
  }
}
