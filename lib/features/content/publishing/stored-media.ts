import type { ContentPost } from '#lib/features/content/posts/post.ts';
import { coverIdsOf } from '#lib/features/content/posts/post-settings.ts';
import { linkToMedia, type Media, mediumFor, requireMediaOf } from '#lib/features/media/media.ts';
import { mediaKeys } from '#lib/platform/db/keys/media.ts';
import { get } from '#lib/platform/db/read.ts';
import type { MediumDetails, Publication } from '#lib/vendors/networks/network.ts';

/**
 * Adds library media, with links that are valid for an hour. The links are created for each attempt
 * and never stored.
 *
 * @throws 404 if a file is missing. A waiting post prevents the deletion of its media.
 */
export async function withStoredMedia(
  publication: Publication,
  { organizationId, platform }: Pick<ContentPost, 'organizationId' | 'platform'>,
  mediaIds: readonly string[],
): Promise<Publication> {
  const ids = [...mediaIds, ...coverIdsOf(publication.settings)];
  if (ids.length === 0) {
    return publication;
  }
  const found = await requireMediaOf(organizationId, ids);
  const stored = found.map((medium) => mediumFor(platform, medium));
  const links = await Promise.all(stored.map(linkToMedia));

  return {
    ...withMedia(publication, stored.slice(0, mediaIds.length), links.slice(0, mediaIds.length)),
    ...coverOf(stored[mediaIds.length], links[mediaIds.length]),
  };
}

/**
 * Adds the thumbnail to a publication that was sent, because a video gets its thumbnail after the
 * upload. The thumbnail may have been deleted in the meantime.
 */
export async function withThumbnail(
  publication: Publication,
  organizationId: string,
): Promise<Publication> {
  const { thumbnailMediaId } = publication.settings ?? {};
  const image =
    thumbnailMediaId === undefined
      ? undefined
      : await get<Media>(mediaKeys.media(organizationId, thumbnailMediaId));

  return image?.status === 'READY'
    ? { ...publication, ...coverOf(image, await linkToMedia(image)) }
    : publication;
}

function withMedia(
  publication: Publication,
  stored: readonly Media[],
  links: readonly string[],
): Publication {
  const fetched = publication.mediaUrls.map(() => ({}));

  return stored.length === 0
    ? publication
    : {
        ...publication,
        mediaUrls: [...publication.mediaUrls, ...links],
        media: [...fetched, ...stored.map(detailsOf)],
      };
}

function coverOf(image: Media | undefined, url: string | undefined): Pick<Publication, 'cover'> {
  return image && url !== undefined ? { cover: { url, contentType: image.contentType ?? '' } } : {};
}

function detailsOf({ altText, bytes = 0, contentType = '' }: Media): MediumDetails {
  return { stored: { bytes, contentType }, ...(altText === undefined ? {} : { altText }) };
}
