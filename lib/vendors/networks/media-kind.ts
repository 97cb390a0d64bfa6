import { mediaTypeAt } from './media-type.ts';

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
