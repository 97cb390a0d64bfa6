import type { Readable } from 'node:stream';
import { config } from '#lib/platform/config.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import type { NetworkAnswer } from '#lib/vendors/networks/call-network.ts';
import type { Credentials, Publication } from '#lib/vendors/networks/network.ts';
import { ifFound, MediaError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { openMedia, unreachable } from '#lib/vendors/networks/open-media.ts';
import * as z from '#schemas/zod.ts';
import { callGoogle, platform } from './call.ts';
import { toVideoMetadata } from './video-metadata.ts';

/** YouTube's limit. */
const maxVideoBytes = 256 * 2 ** 30;
/** "Resume Incomplete" in the protocol for resumable uploads. */
export const incomplete = 308;

/** An open upload session. It creates one video, even if the bytes are sent more than once. */
export const uploadSession = z.object({
  uploadUrl: z.url(),
  totalBytes: z.number(),
  contentType: z.string(),
});

export type UploadSession = z.output<typeof uploadSession>;

/** Opens an upload session. The video exists only after its last byte. */
export async function openSession(
  credentials: Credentials,
  publication: Publication,
): Promise<UploadSession> {
  const { settings = {} } = publication;
  const { privacyStatus = 'public', madeForKids = false, notifySubscribers } = settings;
  const { contentType, totalBytes } = await inspect(publication);
  const answer = await callGoogle(credentials, {
    method: 'POST',
    url: `${config.networks.youtube.uploadBase}/upload/youtube/v3/videos`,
    query: {
      uploadType: 'resumable',
      part: 'snippet,status',
      ...(notifySubscribers === undefined ? {} : { notifySubscribers: String(notifySubscribers) }),
    },
    headers: {
      'x-upload-content-length': String(totalBytes),
      'x-upload-content-type': contentType,
    },
    json: {
      snippet: toVideoMetadata(publication.text, settings),
      status: { privacyStatus, selfDeclaredMadeForKids: madeForKids },
    },
    isHarmless: true,
  });
  const uploadUrl = answer.headers.get('location');
  if (!uploadUrl) {
    throw new NetworkError(platform, 'unavailable', {
      message: 'YouTube did not open an upload session',
    });
  }

  return { uploadUrl, totalBytes, contentType };
}

/** Streams all bytes from the organization's server to YouTube. */
export async function sendVideo(
  credentials: Credentials,
  { mediaUrls: [url = ''] }: Publication,
  { uploadUrl, totalBytes, contentType }: UploadSession,
): Promise<NetworkAnswer> {
  const timeoutMs = config.networkUploadTimeoutMs;
  const medium = await openMedia(platform, url, { timeoutMs, maxBytes: maxVideoBytes });
  if (medium.bytes !== totalBytes) {
    medium.body.destroy();
    throw new NetworkError(platform, 'refused', {
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
    // If the download failed, the upload cannot be complete.
    throw broken instanceof OutboundError ? unreachable(platform, url, broken) : failure;
  } finally {
    medium.body.destroy();
  }
}

/** Returns the progress of a session, or `undefined` if YouTube no longer has it. */
export function askSession(
  credentials: Credentials,
  { uploadUrl, totalBytes }: UploadSession,
): Promise<NetworkAnswer | undefined> {
  const call = callGoogle(credentials, {
    method: 'PUT',
    url: uploadUrl,
    headers: { 'content-range': `bytes */${totalBytes}` },
    alsoAccepts: [incomplete],
    isHarmless: true,
  });

  return ifFound(call);
}

async function inspect({ mediaUrls }: Publication) {
  const [url] = mediaUrls;
  if (url === undefined) {
    throw new NetworkError(platform, 'refused', { message: 'YouTube only accepts videos' });
  }
  const { contentType, bytes, body } = await openMedia(platform, url, {
    timeoutMs: config.networkTimeoutMs,
    maxBytes: maxVideoBytes,
  });
  body.destroy();
  if (!contentType.startsWith('video/') && contentType !== 'application/octet-stream') {
    throw new MediaError(platform, 'refused', {
      message: `YouTube does not accept ${contentType || 'unknown'} media`,
    });
  }

  return { contentType, totalBytes: bytes };
}

/** Reads chunks on demand, because a video may be larger than the memory. */
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
