import type { Readable } from 'node:stream';
import * as z from 'zod';
import { minuteMs, now, secondMs } from '#lib/clock.ts';
import { config } from '#lib/config.ts';
import { OutboundFailure } from '#lib/outbound/outbound-failure.ts';
import type { NetworkAnswer } from '../call-network.ts';
import type {
  CommitOutcome,
  Credentials,
  Handle,
  ProbeOutcome,
  Progress,
  Publication,
  Published,
} from '../network.ts';
import { NetworkFailure } from '../network-failure.ts';
import { openMedia, unreachable } from '../open-media.ts';
import { readAnswer } from '../read-answer.ts';
import { toVideoMetadata } from './video-metadata.ts';
import { callGoogle, callYouTube } from './youtube-call.ts';
import { listRecentPosts, watchUrl } from './youtube-channels.ts';

/** The network's own limit. */
const maxVideoBytes = 256 * 2 ** 30;
const processingMs = 10 * secondMs;
const clockSkewMs = 5 * secondMs;
/** For so long a video may be missing in the list of uploads although it was made. */
const listingDelayMs = 10 * minuteMs;
/** "Not all of it is here yet", in the protocol of resumable uploads. */
const incomplete = 308;

/** An open upload session: it makes one video, however often its bytes are sent. */
const session = z.object({
  uploadUrl: z.url(),
  totalBytes: z.number(),
  contentType: z.string(),
});
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
  const { contentType, totalBytes } = await inspect(publication);
  const answer = await callGoogle(credentials, {
    method: 'POST',
    url: `${config.networks.youtube.uploadBase}/upload/youtube/v3/videos`,
    query: { uploadType: 'resumable', part: 'snippet,status' },
    headers: {
      'x-upload-content-length': String(totalBytes),
      'x-upload-content-type': contentType,
    },
    json: {
      snippet: toVideoMetadata(publication.text),
      status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
    },
    isHarmless: true,
  });
  const uploadUrl = answer.headers.get('location');
  if (!uploadUrl) {
    throw new NetworkFailure('YOUTUBE', 'unavailable', {
      message: 'YouTube opened no session for the upload',
    });
  }

  return { state: 'ready', handle: { uploadUrl, totalBytes, contentType } };
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
  const { uploadUrl, totalBytes, contentType } = session.parse(handle);
  const answer = await sendVideo(credentials, publication, { uploadUrl, totalBytes, contentType });
  if (answer.status === incomplete) {
    throw new NetworkFailure('YOUTUBE', 'unavailable', {
      message: 'YouTube did not take all of the video',
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
  const { uploadUrl, totalBytes } = session.parse(handle);
  const answer = await askSession(credentials, uploadUrl, totalBytes);
  if (!answer) {
    return lookAmongUploads(credentials, publication, since);
  }
  if (answer.status !== incomplete) {
    return stateOf(credentials, readAnswer('YOUTUBE', uploadedVideo, answer).id);
  }

  return answer.headers.get('range') === `bytes=0-${totalBytes - 1}`
    ? { state: 'processing', retryAfterMs: processingMs }
    : { state: 'absent', reason: 'The upload did not reach its end' };
}

/** May be repeated: what is gone is gone. */
export async function deletePost(credentials: Credentials, videoId: string): Promise<void> {
  try {
    await callYouTube(credentials, { method: 'DELETE', path: '/videos', query: { id: videoId } });
  } catch (failure) {
    if (!(failure instanceof NetworkFailure && failure.kind === 'notFound')) {
      throw failure;
    }
  }
}

/**
 * What an earlier try has left: a video, or a session without a byte. A session that has some is
 * given up, as the bytes are sent from the first.
 */
async function goOnWith(credentials: Credentials, handle: Handle): Promise<Handle | undefined> {
  const opened = session.safeParse(handle).data;
  if (!opened) {
    return processing.safeParse(handle).data;
  }
  const answer = await askSession(credentials, opened.uploadUrl, opened.totalBytes);
  if (answer?.status === incomplete) {
    return answer.headers.has('range') ? undefined : opened;
  }

  return answer && { videoId: readAnswer('YOUTUBE', uploadedVideo, answer).id };
}

async function inspect({ mediaUrls }: Publication) {
  const [url] = mediaUrls;
  if (url === undefined) {
    throw new NetworkFailure('YOUTUBE', 'refused', { message: 'YouTube publishes videos alone' });
  }
  const { contentType, bytes, body } = await openMedia('YOUTUBE', url, {
    timeoutMs: config.networkTimeoutMs,
    maxBytes: maxVideoBytes,
  });
  body.destroy();
  if (!contentType.startsWith('video/') && contentType !== 'application/octet-stream') {
    throw new NetworkFailure('YOUTUBE', 'refused', {
      message: `YouTube takes no ${contentType || 'unknown'} media`,
    });
  }

  return { contentType, totalBytes: bytes };
}

async function sendVideo(
  credentials: Credentials,
  { mediaUrls: [url = ''] }: Publication,
  { uploadUrl, totalBytes, contentType }: z.output<typeof session>,
): Promise<NetworkAnswer> {
  const timeoutMs = config.networkUploadTimeoutMs;
  const medium = await openMedia('YOUTUBE', url, { timeoutMs, maxBytes: maxVideoBytes });
  if (medium.bytes !== totalBytes) {
    medium.body.destroy();
    throw new NetworkFailure('YOUTUBE', 'refused', {
      message: 'The video is another one than when the upload was prepared',
    });
  }
  let broken: unknown;
  const content = streamOf(medium.body, (failure) => {
    broken = failure;
  });
  try {
    return await callGoogle(credentials, {
      method: 'PUT',
      url: uploadUrl,
      headers: { 'content-length': String(totalBytes) },
      bytes: { content, contentType },
      timeoutMs,
      alsoAccepts: [incomplete],
    });
  } catch (failure) {
    // A video that broke off on its way here cannot have arrived whole there.
    throw broken instanceof OutboundFailure ? unreachable('YOUTUBE', url, broken) : failure;
  } finally {
    medium.body.destroy();
  }
}

/** `undefined` for a session that is not known any more. */
async function askSession(
  credentials: Credentials,
  uploadUrl: string,
  totalBytes: number,
): Promise<NetworkAnswer | undefined> {
  try {
    return await callGoogle(credentials, {
      method: 'PUT',
      url: uploadUrl,
      headers: { 'content-range': `bytes */${totalBytes}` },
      alsoAccepts: [incomplete],
      isHarmless: true,
    });
  } catch (failure) {
    if (failure instanceof NetworkFailure && failure.kind === 'notFound') {
      return undefined;
    }
    throw failure;
  }
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
    if (failure instanceof NetworkFailure) {
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

  return { state: 'absent', reason: `The video was ${uploadStatus}${reason ? `: ${reason}` : ''}` };
}

function published(videoId: string): Published {
  return { state: 'published', platformPostId: videoId, url: watchUrl(videoId) };
}

/** Chunk by chunk as they are asked for: a video is larger than the memory. */
function streamOf(
  body: Readable,
  onFailure: (failure: unknown) => void,
): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();

  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next().catch((failure: unknown) => {
        onFailure(failure);
        throw failure;
      });
      if (next.done) {
        controller.close();
      } else {
        controller.enqueue(new Uint8Array(next.value));
      }
    },
    cancel() {
      body.destroy();
    },
  });
}
