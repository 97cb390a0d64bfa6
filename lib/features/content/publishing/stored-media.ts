import type { Media } from '#lib/features/media/media.ts';
import { linkToMedia } from '#lib/features/media/present-media.ts';
import { requireMediaOf } from '#lib/features/media/ready-media.ts';
import type { MediumDetails, Publication } from '#lib/vendors/networks/network.ts';

/**
 * Adds the media of the library, with links that are valid for an hour. They are created for each
 * attempt and never stored.
 *
 * @throws 404 if a medium is missing, which a post that waits prevents.
 */
export async function withStoredMedia(
  publication: Publication,
  organizationId: string,
  mediaIds: readonly string[],
): Promise<Publication> {
  if (mediaIds.length === 0) {
    return publication;
  }
  const stored = await requireMediaOf(organizationId, mediaIds);
  const links = await Promise.all(stored.map(linkToMedia));
  const fetched = publication.mediaUrls.map(() => ({}));

  return {
    ...publication,
    mediaUrls: [...publication.mediaUrls, ...links],
    media: [...fetched, ...stored.map(detailsOf)],
  };
}

function detailsOf({ altText, bytes = 0, contentType = '' }: Media): MediumDetails {
  return { stored: { bytes, contentType }, ...(altText === undefined ? {} : { altText }) };
}
