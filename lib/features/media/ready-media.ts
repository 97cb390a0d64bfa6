import type { Media } from '#lib/features/media/media.ts';
import { mediaKeys } from '#lib/platform/db/keys/media.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { notFound, rejectProblems } from '#lib/platform/errors/failures.ts';

/**
 * Returns library media, in order.
 *
 * @throws 404 if a file is missing.
 */
export async function requireMediaOf(
  organizationId: string,
  mediaIds: readonly string[],
): Promise<readonly Media[]> {
  const found = await getMany<Media>(mediaIds.map((id) => mediaKeys.media(organizationId, id)));
  const media = found.filter((one) => one !== undefined);
  if (media.length < mediaIds.length) {
    throw notFound('Media');
  }

  return media;
}

/**
 * Returns media that can be published.
 *
 * @throws 404 if a file is missing, 400 if one is not READY.
 */
export async function requireReadyMedia(
  organizationId: string,
  mediaIds: readonly string[],
): Promise<readonly Media[]> {
  const media = await requireMediaOf(organizationId, mediaIds);
  rejectProblems(unreadyProblems(media));

  return media;
}

/**
 * Returns a problem for each media file that cannot be published. Each problem starts with the
 * field name.
 */
export function unreadyProblems(media: readonly Media[]): readonly string[] {
  return media.flatMap(({ status }, index) =>
    status === 'READY' ? [] : [`mediaIds.${index} must be READY, and is ${status}`],
  );
}
