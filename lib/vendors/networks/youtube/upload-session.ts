import type { Readable } from 'node:stream';
import { config } from '#lib/platform/config.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import type { NetworkAnswer } from '#lib/vendors/networks/call-network.ts';
import type { Credentials, Publication } from '#lib/vendors/networks/network.ts';
import { MediaError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { openMedia, unreachable } from '#lib/vendors/networks/open-media.ts';
import * as z from '#schemas/zod.ts';
import { callGoogle } from './call.ts';
import { toVideoMetadata } from './video-metadata.ts';

/** The network's own limit. */
const maxVideoBytes = 256 * 2 ** 30;
/** "Not all of it is here yet", in the protocol of resumable uploads. */
export const incomplete = 308;

/** An open upload session: it makes one video, however often its bytes are sent. */
export const uploadSession = z.object({
  uploadUrl: z.url(),
  totalBytes: z.number(),
  contentType: z.string(),
});

export type UploadSession = z.output<typeof uploadSession>;

/** Opens a session for the video; nothing is there before its last byte. */
export async function openSession(
  credentials: Credentials,
  publication: Publication,
): Promise<UploadSession> {
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
    throw new NetworkError('YOUTUBE', 'unavailable', {
      message: 'YouTube did not open an upload session',
    });
  }

  return { uploadUrl, totalBytes, contentType };
}

/** Sends all bytes, as they come from where the organization keeps them. */
export async function sendVideo(
  credentials: Credentials,
  { mediaUrls: [url = ''] }: Publication,
  { uploadUrl, totalBytes, contentType }: UploadSession,
): Promise<NetworkAnswer> {
  const timeoutMs = config.networkUploadTimeoutMs;
  const medium = await openMedia('YOUTUBE', url, { timeoutMs, maxBytes: maxVideoBytes });
  if (medium.bytes !== totalBytes) {
    medium.body.destroy();
    throw new NetworkError('YOUTUBE', 'refused', {
      message: 'The video changed after the upload was prepared',
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
    throw broken instanceof OutboundError ? unreachable('YOUTUBE', url, broken) : failure;
  } finally {
    medium.body.destroy();
  }
}

/** How far a session is; `undefined` for one that is not known any more. */
export async function askSession(
  credentials: Credentials,
  { uploadUrl, totalBytes }: UploadSession,
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
    if (failure instanceof NetworkError && failure.kind === 'notFound') {
      return undefined;
    }
    throw failure;
  }
}

async function inspect({ mediaUrls }: Publication) {
  const [url] = mediaUrls;
  if (url === undefined) {
    throw new NetworkError('YOUTUBE', 'refused', { message: 'YouTube only accepts videos' });
  }
  const { contentType, bytes, body } = await openMedia('YOUTUBE', url, {
    timeoutMs: config.networkTimeoutMs,
    maxBytes: maxVideoBytes,
  });
  body.destroy();
  if (!contentType.startsWith('video/') && contentType !== 'application/octet-stream') {
    throw new MediaError('YOUTUBE', 'refused', {
      message: `YouTube does not accept ${contentType || 'unknown'} media`,
    });
  }

  return { contentType, totalBytes: bytes };
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
