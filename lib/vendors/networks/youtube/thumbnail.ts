import { config } from '#lib/platform/config.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { readBody } from '#lib/platform/outbound/fetch-public.ts';
import type { Credentials, Publication } from '#lib/vendors/networks/network.ts';
import { openMedia } from '#lib/vendors/networks/open-media.ts';
import { callGoogle, platform } from './call.ts';

/** YouTube's limit. */
const maxBytes = 2_097_152;

/**
 * Sets the thumbnail of an uploaded video. Repeating it has no further effect. After a failure, the
 * video keeps the thumbnail that YouTube chose.
 *
 * @returns false if YouTube did not set it.
 */
export async function setThumbnail(
  credentials: Credentials,
  { cover }: Publication,
  videoId: string,
): Promise<boolean> {
  if (!cover) {
    return false;
  }
  try {
    const timeoutMs = config.networkUploadTimeoutMs;
    const { body } = await openMedia(platform, cover.url, { timeoutMs, maxBytes });
    const content = new Uint8Array(await readBody(body));
    await callGoogle(credentials, {
      method: 'POST',
      url: `${config.networks.youtube.uploadBase}/upload/youtube/v3/thumbnails/set`,
      query: { videoId, uploadType: 'media' },
      bytes: { content, contentType: cover.contentType },
      timeoutMs,
      isHarmless: true,
    });

    return true;
  } catch (failure) {
    logger.warn('The thumbnail of a video was not set', {
      videoId,
      failure: describeFailure(failure),
    });

    return false;
  }
}
