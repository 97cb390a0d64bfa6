import { minuteMs, now, secondMs } from '#lib/platform/clock.ts';
import type {
  CommitOutcome,
  Credentials,
  Handle,
  ProbeOutcome,
  Progress,
  Publication,
  Published,
} from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { callYouTube } from './call.ts';
import { listRecentPosts, watchUrl } from './channels.ts';
import { askSession, incomplete, openSession, sendVideo, uploadSession } from './upload-session.ts';
import { toVideoMetadata } from './video-metadata.ts';

const processingMs = 10 * secondMs;
const clockSkewMs = 5 * secondMs;
/** For so long a video may be missing in the list of uploads although it was made. */
const listingDelayMs = 10 * minuteMs;
const processing = z.object({ videoId: z.string() });

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
          failureReason: z.string().optional(),
          rejectionReason: z.string().optional(),
        }),
      }),
    )
    .default([]),
});

/** Opens a session for the video; nothing is there before its last byte. */
export async function prepare(
  credentials: Credentials,
  publication: Publication,
  handle?: Handle,
): Promise<Progress> {
  const known = handle && (await goOnWith(credentials, handle));
  if (known) {
    return { state: 'ready', handle: known };
  }
  return { state: 'ready', handle: await openSession(credentials, publication) };
}

/** Sends the bytes as they come from where the organization keeps them. */
export async function commit(
  credentials: Credentials,
  publication: Publication,
  handle: Handle,
): Promise<CommitOutcome> {
  const done = processing.safeParse(handle).data;
  if (done) {
    return settle(credentials, done.videoId);
  }
  const answer = await sendVideo(credentials, publication, uploadSession.parse(handle));
  if (answer.status === incomplete) {
    throw new NetworkError('YOUTUBE', 'unavailable', {
      message: 'YouTube did not receive the whole video',
      code: String(incomplete),
    });
  }
  const { id } = readAnswer('YOUTUBE', uploadedVideo, answer, 'outcomeUnknown');

  return settle(credentials, id);
}

/** The session itself knows whether the video is there; where it is gone, the uploads do. */
export async function probe(
  credentials: Credentials,
  publication: Publication,
  handle: Handle,
  since: string,
): Promise<ProbeOutcome> {
  const done = processing.safeParse(handle).data;
  if (done) {
    return stateOf(credentials, done.videoId);
  }
  const opened = uploadSession.parse(handle);
  const answer = await askSession(credentials, opened);
  if (!answer) {
    return lookAmongUploads(credentials, publication, since);
  }
  if (answer.status !== incomplete) {
    return stateOf(credentials, readAnswer('YOUTUBE', uploadedVideo, answer).id);
  }

  return answer.headers.get('range') === `bytes=0-${opened.totalBytes - 1}`
    ? { state: 'processing', retryAfterMs: processingMs }
    : { state: 'absent', reason: 'The upload was not completed' };
}

/** May be repeated: what is gone is gone. */
export async function deletePost(credentials: Credentials, videoId: string): Promise<void> {
  try {
    await callYouTube(credentials, { method: 'DELETE', path: '/videos', query: { id: videoId } });
  } catch (failure) {
    if (!(failure instanceof NetworkError && failure.kind === 'notFound')) {
      throw failure;
    }
  }
}

/**
 * What an earlier try has left: a video, or a session without a byte. A session that has some is
 * given up, as the bytes are sent from the first.
 */
async function goOnWith(credentials: Credentials, handle: Handle): Promise<Handle | undefined> {
  const opened = uploadSession.safeParse(handle).data;
  if (!opened) {
    return processing.safeParse(handle).data;
  }
  const answer = await askSession(credentials, opened);
  if (answer?.status === incomplete) {
    return answer.headers.has('range') ? undefined : opened;
  }

  return answer && { videoId: readAnswer('YOUTUBE', uploadedVideo, answer).id };
}

async function lookAmongUploads(
  credentials: Credentials,
  { text }: Publication,
  since: string,
): Promise<ProbeOutcome> {
  const { description } = toVideoMetadata(text);
  const sinceMs = Date.parse(since);
  const found = (await listRecentPosts(credentials)).findLast(
    (post) =>
      post.text.trim() === description.trim() &&
      Date.parse(post.publishedAt) >= sinceMs - clockSkewMs,
  );
  if (found) {
    return stateOf(credentials, found.platformPostId);
  }

  return now() - sinceMs > listingDelayMs
    ? { state: 'absent', reason: 'YouTube has no such video' }
    : { state: 'unknown' };
}

/** After the upload: it has a video, and what cannot be asked now can be asked later. */
async function settle(credentials: Credentials, videoId: string): Promise<CommitOutcome> {
  const pending = { state: 'processing', handle: { videoId }, retryAfterMs: processingMs } as const;
  try {
    const state = await stateOf(credentials, videoId);

    return state.state === 'published' ? state : pending;
  } catch (failure) {
    if (failure instanceof NetworkError) {
      return pending;
    }
    throw failure;
  }
}

/** YouTube looks at a video before it shows it, and may refuse it then. */
async function stateOf(credentials: Credentials, videoId: string): Promise<ProbeOutcome> {
  const answer = await callYouTube(credentials, {
    method: 'GET',
    path: '/videos',
    query: { part: 'status', id: videoId },
  });
  const [video] = readAnswer('YOUTUBE', videoStates, answer).items;
  const { uploadStatus, failureReason, rejectionReason } = video?.status ?? {};
  if (uploadStatus === undefined) {
    return { state: 'unknown' };
  }
  if (uploadStatus === 'processed') {
    return published(videoId);
  }
  if (uploadStatus === 'uploaded') {
    return { state: 'processing', retryAfterMs: processingMs };
  }
  const reason = rejectionReason ?? failureReason;

  return { state: 'failed', reason: `The video was ${uploadStatus}${reason ? `: ${reason}` : ''}` };
}

function published(videoId: string): Published {
  return { state: 'published', platformPostId: videoId, url: watchUrl(videoId) };
}
