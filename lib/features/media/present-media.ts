import { hourMs, secondMs } from '#lib/platform/clock.ts';
import { linkTo } from '#lib/platform/storage/download-link.ts';
import { fileOfMedia, type Media } from './media.ts';

const linkSeconds = hourMs / secondMs;

/** Presents a media file. If it is READY, includes a link. */
export async function presentMedia(media: Media) {
  return { ...media, url: media.status === 'READY' ? await linkToMedia(media) : null };
}

/** Returns a link to the stored file of READY media. The link is valid for an hour. */
export function linkToMedia(media: Media): Promise<string> {
  return linkTo(fileOfMedia(media), linkSeconds);
}
