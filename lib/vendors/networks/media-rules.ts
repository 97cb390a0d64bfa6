import type { Platform } from '#schemas/platforms.ts';
import { type MediaType, mediaTypeAt } from './media-type.ts';
import { MediaError } from './network-error.ts';

type Rule = (
  types: ReadonlyArray<MediaType | undefined>,
  field: 'mediaUrls' | 'mediaIds',
) => string | undefined;

/**
 * Content that networks reject, but only after the upload. If the type is unknown, the network
 * decides.
 */
const rules: Readonly<Partial<Record<Platform, Rule>>> = {
  INSTAGRAM: (types, field) => {
    const index = types.findIndex(
      (type) => type !== undefined && type !== 'JPEG' && type !== 'VIDEO',
    );

    return index < 0
      ? undefined
      : `${field}.${index} must be a JPEG image on INSTAGRAM, and is ${types[index]}`;
  },
  TWITTER: (types, field) =>
    types.length > 1 && types.some((type) => type === 'GIF' || type === 'VIDEO')
      ? `${field} must be up to four photos, one GIF or one video on TWITTER`
      : undefined,
};

/**
 * Returns the reason why the network would reject the content of these media. Starts with the field
 * name.
 */
export async function mediaContentProblem(
  platform: Platform,
  mediaUrls: readonly string[],
): Promise<string | undefined> {
  const rule = rules[platform];

  return rule?.(await mediaTypesAt(mediaUrls), 'mediaUrls');
}

/** The same for media whose types are known. */
export function mediaTypeProblem(
  platform: Platform,
  types: ReadonlyArray<MediaType | undefined>,
  field: 'mediaUrls' | 'mediaIds',
): string | undefined {
  return rules[platform]?.(types, field);
}

/**
 * Returns the types of the media, in order.
 *
 * @throws MediaError `refused` if the network would reject the content of these media.
 */
export async function requireAcceptedMedia(
  platform: Platform,
  mediaUrls: readonly string[],
): Promise<ReadonlyArray<MediaType | undefined>> {
  const types = await mediaTypesAt(mediaUrls);
  const message = rules[platform]?.(types, 'mediaUrls');
  if (message !== undefined) {
    throw new MediaError(platform, 'refused', { message });
  }

  return types;
}

function mediaTypesAt(mediaUrls: readonly string[]) {
  return Promise.all(mediaUrls.map(mediaTypeAt));
}
