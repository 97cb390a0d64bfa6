import type { Readable } from 'node:stream';
import { fetchPublic } from '#lib/platform/outbound/fetch-public.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import type { Platform } from '#schemas/platforms.ts';
import { MediaError } from './network-error.ts';

export type OpenMedia = {
  /** In lower case, without parameters. */
  readonly contentType: string;
  readonly bytes: number;
  /** To be read to its end, or destroyed. */
  readonly body: Readable;
};

/**
 * Opens a medium of a post where the organization keeps it, to hand it on to a network. The URL is
 * a stranger's: it is fetched under the rules for such.
 *
 * @throws MediaError `refused` for a URL that leads nowhere or to what is too large,
 *   `unavailable` while its server is down.
 */
export async function openMedia(
  platform: Platform,
  url: string,
  bounds: { readonly timeoutMs: number; readonly maxBytes: number },
): Promise<OpenMedia> {
  try {
    const answer = await fetchPublic(url, bounds);
    const bytes = Number(answer.headers['content-length'] ?? 0);
    if (answer.status !== 200 || bytes < 1) {
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
  const reason = status === 200 ? 'did not report its size' : `returned ${status}`;

  return new MediaError(platform, status >= 500 ? 'unavailable' : 'refused', {
    message: `The media file at ${new URL(url).host} ${reason}`,
  });
}

/** What breaks while the medium is read is told the same way. */
export function unreachable(platform: Platform, url: string, failure: OutboundError): MediaError {
  const isFinal = failure.kind === 'forbidden' || failure.kind === 'tooLarge';

  return new MediaError(platform, isFinal ? 'refused' : 'unavailable', {
    message: `The media file at ${URL.canParse(url) ? new URL(url).host : 'its URL'} cannot be fetched: ${failure.message}`,
    cause: failure,
  });
}
