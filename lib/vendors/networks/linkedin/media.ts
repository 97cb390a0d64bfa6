import type { Readable } from 'node:stream';
import { config } from '#lib/platform/config.ts';
import { readBody } from '#lib/platform/outbound/fetch-public.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import { callNetwork, type NetworkAnswer, readAnswer } from '#lib/vendors/networks/call-network.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import { MediaError } from '#lib/vendors/networks/network-error.ts';
import { type OpenMedia, openMedia, unreachable } from '#lib/vendors/networks/open-media.ts';
import * as z from '#schemas/zod.ts';
import { call, organizationUrn, platform, restli } from './call.ts';

/** An uploaded media file. Images and videos are separate resources at LinkedIn. */
export type UploadedMedium = { readonly urn: string; readonly kind: 'image' | 'video' };

/** Unverified: LinkedIn limits an image's pixels, not its bytes. See docs/operations.md. */
const maxImageBytes = 20_000_000;
const maxVideoBytes = 500_000_000;
/** Limits memory use: images are held in memory during an upload. */
const concurrentUploads = 4;

const imageUpload = z.object({ value: z.object({ uploadUrl: z.url(), image: z.string() }) });
const videoUpload = z.object({
  value: z.object({
    video: z.string(),
    uploadToken: z.string().default(''),
    uploadInstructions: z
      .array(z.object({ uploadUrl: z.url(), firstByte: z.number(), lastByte: z.number() }))
      .min(1),
  }),
});
const state = z.object({ status: z.string(), processingFailureReason: z.string().optional() });

/**
 * Uploads a post's media. They stay invisible until a post uses them, so uploads may be repeated.
 */
export async function uploadMedia(
  credentials: Credentials,
  urls: readonly string[],
): Promise<readonly UploadedMedium[]> {
  const uploaded: UploadedMedium[] = [];
  for (let index = 0; index < urls.length; index += concurrentUploads) {
    const group = urls.slice(index, index + concurrentUploads);
    // Waits for all uploads, so that none continues in the background after another has failed.
    const outcomes = await Promise.allSettled(
      group.map((url) => uploadOne(credentials, url, urls.length > 1)),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        throw outcome.reason;
      }
      uploaded.push(outcome.value);
    }
  }

  return uploaded;
}

/**
 * Returns true if LinkedIn has processed all media.
 *
 * @throws MediaError `refused` if LinkedIn could not process a file.
 */
export async function areMediaAvailable(
  credentials: Credentials,
  media: readonly UploadedMedium[],
): Promise<boolean> {
  const states = await Promise.all(media.map((medium) => stateOf(credentials, medium)));

  return states.every((one) => one === 'AVAILABLE');
}

async function stateOf(credentials: Credentials, { urn, kind }: UploadedMedium): Promise<string> {
  const answer = await call(credentials, { path: `/rest/${kind}s/${restli(urn)}` });
  const { status, processingFailureReason } = readAnswer(platform, state, answer);
  if (status === 'PROCESSING_FAILED') {
    throw new MediaError(platform, 'refused', {
      message: `LinkedIn could not process the ${kind}: ${processingFailureReason ?? 'no reason given'}`,
      code: status,
    });
  }

  return status;
}

async function uploadOne(
  credentials: Credentials,
  url: string,
  isOneOfMany: boolean,
): Promise<UploadedMedium> {
  const medium = await openMedia(platform, url, {
    timeoutMs: config.networkUploadTimeoutMs,
    maxBytes: maxVideoBytes,
  });
  try {
    return await upload(credentials, medium, isOneOfMany);
  } catch (failure) {
    throw failure instanceof OutboundError ? unreachable(platform, url, failure) : failure;
  } finally {
    medium.body.destroy();
  }
}

function upload(
  credentials: Credentials,
  medium: OpenMedia,
  isOneOfMany: boolean,
): Promise<UploadedMedium> {
  if (medium.contentType.startsWith('video/')) {
    return isOneOfMany
      ? Promise.reject(refused('A LinkedIn post with a video cannot contain other media'))
      : uploadVideo(credentials, medium);
  }
  if (!medium.contentType.startsWith('image/')) {
    return Promise.reject(
      refused(`LinkedIn does not accept media of type ${medium.contentType || 'unknown'}`),
    );
  }
  if (medium.bytes > maxImageBytes) {
    return Promise.reject(refused(`An image exceeds ${maxImageBytes} bytes`));
  }

  return uploadImage(credentials, medium);
}

async function uploadImage(credentials: Credentials, medium: OpenMedia): Promise<UploadedMedium> {
  const [content, answer] = await Promise.all([
    readBody(medium.body),
    initialize(credentials, 'images', {}),
  ]);
  const { uploadUrl, image } = readAnswer(platform, imageUpload, answer).value;
  await putBytes(credentials, uploadUrl, content, medium.contentType);

  return { urn: image, kind: 'image' };
}

async function uploadVideo(credentials: Credentials, medium: OpenMedia): Promise<UploadedMedium> {
  const answer = await initialize(credentials, 'videos', {
    fileSizeBytes: medium.bytes,
    uploadCaptions: false,
    uploadThumbnail: false,
  });
  const { video, uploadToken, uploadInstructions } = readAnswer(
    platform,
    videoUpload,
    answer,
  ).value;
  const uploadedPartIds: string[] = [];
  const parts = inParts(
    medium.body,
    uploadInstructions.map(({ firstByte, lastByte }) => lastByte - firstByte + 1),
  );
  for await (const { content, index } of parts) {
    const uploadUrl = uploadInstructions[index]?.uploadUrl ?? '';
    const put = await putBytes(credentials, uploadUrl, content, 'application/octet-stream');
    uploadedPartIds.push((put.headers.get('etag') ?? '').replaceAll('"', ''));
  }
  await call(credentials, {
    method: 'POST',
    path: '/rest/videos',
    query: { action: 'finalizeUpload' },
    json: { finalizeUploadRequest: { video, uploadToken, uploadedPartIds } },
    isHarmless: true,
  });

  return { urn: video, kind: 'video' };
}

function initialize(
  { platformUserId, accessToken }: Credentials,
  resource: 'images' | 'videos',
  facts: Readonly<Record<string, unknown>>,
): Promise<NetworkAnswer> {
  return call(
    { accessToken },
    {
      method: 'POST',
      path: `/rest/${resource}`,
      query: { action: 'initializeUpload' },
      json: { initializeUploadRequest: { owner: organizationUrn(platformUserId), ...facts } },
      isHarmless: true,
    },
  );
}

/** Sends the token as LinkedIn's samples do, although the URL is already authorized. */
function putBytes(
  { accessToken }: Credentials,
  url: string,
  content: Buffer,
  contentType: string,
): Promise<NetworkAnswer> {
  return callNetwork({
    platform: platform,
    method: 'PUT',
    url,
    headers: { authorization: `Bearer ${accessToken}` },
    bytes: { content: new Uint8Array(content), contentType },
    timeoutMs: config.networkUploadTimeoutMs,
    isHarmless: true,
  });
}

async function* inParts(
  body: Readable,
  sizes: readonly number[],
): AsyncGenerator<{ readonly content: Buffer; readonly index: number }> {
  let chunks: Buffer[] = [];
  let held = 0;
  let index = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    held += chunk.length;
    for (let size = sizes[index]; size !== undefined && held >= size; size = sizes[index]) {
      const joined = Buffer.concat(chunks);
      yield { content: joined.subarray(0, size), index };
      chunks = [joined.subarray(size)];
      held -= size;
      index += 1;
    }
  }
}

function refused(message: string): MediaError {
  return new MediaError(platform, 'refused', { message });
}
