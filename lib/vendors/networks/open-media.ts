import type { Readable } from 'node:stream';
import { fetchPublic } from '#lib/platform/outbound/fetch-public.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import type { Platform } from '#schemas/platforms.ts';
import { MediaError } from './network-error.ts';

export type OpenMedia = {
  /** Lowercase, without parameters. */
  readonly contentType: string;
  readonly bytes: number;
  /** Must be read to the end or destroyed. */
  readonly body: Readable;
};

type Bounds = {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Requests only these bytes, if the server supports ranges. */
  readonly range?: { readonly start: number; readonly end: number };
};

/**
 * Opens a media file on the organization's server, to stream it to a network. The URL is untrusted,
 * so it is fetched with `fetchPublic`.
 *
 * @throws MediaError `refused` if the URL is unusable or the file too large, `unavailable` if the
 * server is down.
 */
export async function openMedia(
  platform: Platform,
  url: string,
  { range, ...bounds }: Bounds,
): Promise<OpenMedia> {
  try {
    const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
    const answer = await fetchPublic(url, { ...bounds, headers });
    const bytes = Number(answer.headers['content-length'] ?? 0);
    if (answer.status !== (range ? 206 : 200) || bytes < 1) {
      answer.body.destroy();
      throw unusable(platform, url, answer.status);
    }
    const [contentType = ''] = (answer.headers['content-type'] ?? '').split(';');

    return { contentType: contentType.trim().toLowerCase(), bytes, body: answer.body };
  } catch (failure) {
    throw failure instanceof OutboundError ? unreachable(platform, url, failure) : failure;
  }
}

function unusable(platform: Platform, url: string, status: number): MediaError {
  const reason =
    status === 200 || status === 206 ? 'did not report its size' : `returned ${status}`;

  return new MediaError(platform, status >= 500 ? 'unavailable' : 'refused', {
    message: `The media file at ${new URL(url).host} ${reason}`,
  });
}

/** Converts a failure to fetch the file, including a failure while its body is read. */
export function unreachable(platform: Platform, url: string, failure: OutboundError): MediaError {
  const isFinal = failure.kind === 'forbidden' || failure.kind === 'tooLarge';

  return new MediaError(platform, isFinal ? 'refused' : 'unavailable', {
    message: `The media file at ${URL.canParse(url) ? new URL(url).host : 'its URL'} cannot be fetched: ${failure.message}`,
    cause: failure,
  });
}
