import { secondMs } from '#lib/platform/clock.ts';
import { fetchPublic } from '#lib/platform/outbound/fetch-public.ts';

export type MediaType = 'JPEG' | 'PNG' | 'GIF' | 'WEBP' | 'HEIF' | 'VIDEO';

/** The signatures below are all within these bytes. */
const signatureBytes = 32;
/** Short, because checking ten files must fit into one request. */
const timeoutMs = 2 * secondMs;
/** The server may ignore the range and send the whole file. Only its start is read. */
const maxBytes = 1_000_000_000;

/** Brands of images that use the container format of MP4. */
const heifBrands = ['heic', 'heix', 'hevc', 'mif1', 'msf1', 'avif', 'avis'];

const byContentType: Readonly<Record<string, MediaType>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/gif': 'GIF',
  'image/webp': 'WEBP',
  'image/heic': 'HEIF',
  'image/heif': 'HEIF',
  'image/avif': 'HEIF',
};
const byEnding: Readonly<Record<string, MediaType>> = {
  jpg: 'JPEG',
  jpeg: 'JPEG',
  png: 'PNG',
  gif: 'GIF',
  webp: 'WEBP',
  heic: 'HEIF',
  heif: 'HEIF',
  avif: 'HEIF',
  mp4: 'VIDEO',
  mov: 'VIDEO',
  m4v: 'VIDEO',
  webm: 'VIDEO',
};

/**
 * Returns the type of a media file by its first bytes, or by its content type if the bytes are
 * unknown. If the URL cannot be read, the file extension decides.
 */
export async function mediaTypeAt(url: string): Promise<MediaType | undefined> {
  try {
    const { start, contentType } = await readStart(url);

    return typeOfBytes(start) ?? typeOfContentType(contentType);
  } catch {
    return typeOfEnding(url);
  }
}

export function typeOfContentType(contentType: string): MediaType | undefined {
  return contentType.startsWith('video/') ? 'VIDEO' : byContentType[contentType];
}

type Start = { readonly start: Buffer; readonly contentType: string };

/** @throws if the server does not return the file. */
async function readStart(url: string): Promise<Start> {
  const { status, headers, body } = await fetchPublic(url, {
    headers: { range: `bytes=0-${signatureBytes - 1}` },
    timeoutMs,
    maxBytes,
  });
  try {
    if (status !== 200 && status !== 206) {
      throw new Error(`The server returned ${status}`);
    }
    const [contentType = ''] = (headers['content-type'] ?? '').split(';');

    return { start: await firstBytes(body), contentType: contentType.trim().toLowerCase() };
  } finally {
    body.destroy();
  }
}

async function firstBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) {
    chunks.push(chunk);
    if (Buffer.concat(chunks).byteLength >= signatureBytes) {
      break;
    }
  }

  return Buffer.concat(chunks);
}

function typeOfBytes(start: Buffer): MediaType | undefined {
  const has = (at: number, text: string) =>
    start.subarray(at, at + text.length).toString('latin1') === text;
  if (has(0, '\xff\xd8\xff')) {
    return 'JPEG';
  }
  if (has(0, '\x89PNG\r\n\x1a\n')) {
    return 'PNG';
  }
  if (has(0, 'GIF8')) {
    return 'GIF';
  }
  if (has(0, 'RIFF') && has(8, 'WEBP')) {
    return 'WEBP';
  }
  if (has(4, 'ftyp')) {
    return heifBrands.some((brand) => has(8, brand)) ? 'HEIF' : 'VIDEO';
  }

  return has(0, '\x1aE\xdf\xa3') ? 'VIDEO' : undefined;
}

function typeOfEnding(url: string): MediaType | undefined {
  const path = URL.canParse(url) ? new URL(url).pathname : '';

  return byEnding[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
}

export type MediaKind = 'image' | 'video';

/**
 * Returns the kind of a media file by its content, or `undefined` if it is unknown. If the URL
 * cannot be read, the file extension decides.
 */
export async function mediaKindAt(url: string): Promise<MediaKind | undefined> {
  const type = await mediaTypeAt(url);
  if (type === undefined) {
    return undefined;
  }

  return type === 'VIDEO' ? 'video' : 'image';
}
