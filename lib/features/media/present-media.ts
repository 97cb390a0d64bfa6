import { hourMs, secondMs } from '#lib/platform/clock.ts';
import { linkTo } from '#lib/platform/storage/download-link.ts';
import { fileOfMedia, type Media } from './media.ts';

const linkSeconds = hourMs / secondMs;

/** Presents a medium with a link to its file, if it is READY. */
export async function presentMedia(media: Media) {
  return { ...media, url: media.status === 'READY' ? await linkToMedia(media) : null };
}

/** Returns a link to the file of a medium that is READY. It is valid for an hour. */
export function linkToMedia(media: Media): Promise<string> {
  return linkTo(fileOfMedia(media), linkSeconds);
}
