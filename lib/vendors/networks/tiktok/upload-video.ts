import { config } from '#lib/platform/config.ts';
import { readBody } from '#lib/platform/outbound/fetch-public.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import { callNetwork } from '#lib/vendors/networks/call-network.ts';
import { openMedia, unreachable } from '#lib/vendors/networks/open-media.ts';
import * as z from '#schemas/zod.ts';
import { platform } from './call.ts';

/**
 * TikTok accepts chunks of 5 to 64 MB. The last one also contains the remainder, so it can be
 * almost twice as large. It is held in memory.
 */
const chunkBytes = 10_000_000;

/** A video upload to TikTok. The last chunk publishes the video. */
export const videoUpload = z.object({
  uploadUrl: z.url(),
  bytes: z.number(),
  contentType: z.string(),
});

export type VideoUpload = z.output<typeof videoUpload>;

/** Returns the chunks that TikTok expects. A video smaller than a chunk has one. */
export function chunksOf(bytes: number) {
  const chunkSize = Math.min(bytes, chunkBytes);

  return { chunkSize, chunkCount: Math.floor(bytes / chunkSize) };
}

/** Sends all chunks but the last one. Nothing is visible yet. */
export async function sendFirstChunks(upload: VideoUpload, url: string): Promise<void> {
  const { chunkCount } = chunksOf(upload.bytes);
  for (let index = 0; index < chunkCount - 1; index += 1) {
    await sendChunk(upload, url, index, true);
  }
}

/** Sends the last chunk, which publishes the video. */
export function sendLastChunk(upload: VideoUpload, url: string): Promise<void> {
  return sendChunk(upload, url, chunksOf(upload.bytes).chunkCount - 1, false);
}

async function sendChunk(
  { uploadUrl, bytes, contentType }: VideoUpload,
  url: string,
  index: number,
  isHarmless: boolean,
): Promise<void> {
  const { chunkSize, chunkCount } = chunksOf(bytes);
  const start = index * chunkSize;
  const end = (index === chunkCount - 1 ? bytes : start + chunkSize) - 1;
  const content = await readPart(url, { start, end });
  await callNetwork({
    platform,
    method: 'PUT',
    url: uploadUrl,
    headers: { 'content-range': `bytes ${start}-${end}/${bytes}` },
    bytes: { content: new Uint8Array(content), contentType },
    timeoutMs: config.networkUploadTimeoutMs,
    isHarmless,
  });
}

async function readPart(
  url: string,
  range: { readonly start: number; readonly end: number },
): Promise<Buffer> {
  const { body } = await openMedia(platform, url, {
    timeoutMs: config.networkUploadTimeoutMs,
    maxBytes: 2 * chunkBytes,
    range,
  });
  try {
    return await readBody(body);
  } catch (failure) {
    throw failure instanceof OutboundError ? unreachable(platform, url, failure) : failure;
  }
}
