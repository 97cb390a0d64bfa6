import type { Readable } from 'node:stream';
import { cutToLength } from '#lib/platform/characters.ts';
import { secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import { MediaError } from '#lib/vendors/networks/network-error.ts';
import { openMedia, unreachable } from '#lib/vendors/networks/open-media.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

/** X accepts segments of up to 5 MB. Base64 adds a third. */
const segmentBytes = 2_000_000;
const defaultCheckSeconds = 2;
const maxAltTextLength = 1_000;

type Category = { readonly name: string; readonly maxBytes: number };

const image: Category = { name: 'tweet_image', maxBytes: 5_000_000 };
const gif: Category = { name: 'tweet_gif', maxBytes: 15_000_000 };
const video: Category = { name: 'tweet_video', maxBytes: 512_000_000 };
const categories: Readonly<Record<string, Category>> = {
  'image/jpeg': image,
  'image/png': image,
  'image/webp': image,
  'image/gif': gif,
  'video/mp4': video,
  'video/quicktime': video,
  'video/webm': video,
};

const upload = z.object({
  data: z.object({
    id: z.string(),
    processing_info: z
      .object({
        state: z.string(),
        check_after_secs: z.number().optional(),
        error: z.object({ message: z.string().optional() }).optional(),
      })
      .optional(),
  }),
});
type Upload = z.output<typeof upload>;

/** An uploaded media file. `processing`: not usable yet, check again after `checkAfterMs`. */
export type UploadedMedia =
  | { readonly id: string; readonly state: 'ready' }
  | { readonly id: string; readonly state: 'processing'; readonly checkAfterMs: number };

/**
 * Streams a media file to X, with one segment in memory at a time. The file stays invisible until a
 * post uses it, and X deletes it after a day.
 *
 * @throws MediaError `refused` if X does not accept the file.
 */
export async function uploadMedia(
  accessToken: string,
  url: string,
  altText?: string,
): Promise<UploadedMedia> {
  const media = await openMedia(platform, url, {
    timeoutMs: config.networkUploadTimeoutMs,
    maxBytes: video.maxBytes,
  });
  try {
    const category = categories[media.contentType];
    if (!category || media.bytes > category.maxBytes) {
      throw new MediaError(platform, 'refused', {
        message: `X does not accept ${media.contentType || 'media of unknown type'} of ${media.bytes} bytes`,
      });
    }
    const id = await initialize(accessToken, {
      media_type: media.contentType,
      total_bytes: media.bytes,
      media_category: category.name,
    });
    await append(accessToken, id, media.body);

    const uploaded = await finalize(accessToken, id);
    if (altText && category !== video) {
      await describeMedia(accessToken, id, altText);
    }

    return uploaded;
  } catch (failure) {
    throw failure instanceof OutboundError ? unreachable(platform, url, failure) : failure;
  } finally {
    media.body.destroy();
  }
}

export async function checkMedia(accessToken: string, id: string): Promise<UploadedMedia> {
  const answer = await call({
    path: '/2/media/upload',
    token: accessToken,
    query: { command: 'STATUS', media_id: id },
    answer: upload,
  });

  return stateOf(answer);
}

async function initialize(accessToken: string, medium: object): Promise<string> {
  const { data } = await call({
    method: 'POST',
    path: '/2/media/upload/initialize',
    token: accessToken,
    json: medium,
    isHarmless: true,
    answer: upload,
  });

  return data.id;
}

async function append(accessToken: string, id: string, body: Readable): Promise<void> {
  let index = 0;
  for await (const segment of segmentsOf(body)) {
    await call({
      method: 'POST',
      path: `/2/media/upload/${encodeURIComponent(id)}/append`,
      token: accessToken,
      json: { segment_index: index, media: segment.toString('base64') },
      timeoutMs: config.networkUploadTimeoutMs,
      isHarmless: true,
      answer: z.unknown(),
    });
    index += 1;
  }
}

async function* segmentsOf(body: Readable): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    pending.push(chunk);
    size += chunk.byteLength;
    if (size >= segmentBytes) {
      yield Buffer.concat(pending);
      pending = [];
      size = 0;
    }
  }
  if (size > 0) {
    yield Buffer.concat(pending);
  }
}

async function finalize(accessToken: string, id: string): Promise<UploadedMedia> {
  const answer = await call({
    method: 'POST',
    path: `/2/media/upload/${encodeURIComponent(id)}/finalize`,
    token: accessToken,
    isHarmless: true,
    answer: upload,
  });

  return stateOf(answer);
}

/** X accepts alternative texts of up to 1,000 characters for images and GIFs. */
async function describeMedia(accessToken: string, id: string, altText: string): Promise<void> {
  await call({
    method: 'POST',
    path: '/2/media/metadata',
    token: accessToken,
    json: { id, metadata: { alt_text: { text: cutToLength(altText, maxAltTextLength) } } },
    isHarmless: true,
    answer: z.unknown(),
  });
}

/** A media file without `processing_info` needs no processing. */
function stateOf({ data: { id, processing_info: work } }: Upload): UploadedMedia {
  if (work === undefined || work.state === 'succeeded') {
    return { id, state: 'ready' };
  }
  if (work.state === 'failed') {
    throw new MediaError(platform, 'refused', {
      message: `X could not process the media: ${work.error?.message ?? 'no reason given'}`,
    });
  }

  return {
    id,
    state: 'processing',
    checkAfterMs: (work.check_after_secs ?? defaultCheckSeconds) * secondMs,
  };
}
