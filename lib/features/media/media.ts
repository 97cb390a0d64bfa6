import { hourMs, secondMs } from '#lib/platform/clock.ts';
import { mediaKeys } from '#lib/platform/db/keys/media.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { notFound, rejectProblems, requireFound } from '#lib/platform/errors/failures.ts';
import { linkTo } from '#lib/platform/storage/download-link.ts';
import type { FileName } from '#lib/platform/storage/file-name.ts';
import type { MediaKind, MediaStatus } from '#schemas/media.ts';
import type { Platform } from '#schemas/platforms.ts';

/** A file in the media library. */
export type Media = {
  readonly id: string;
  readonly organizationId: string;
  readonly status: MediaStatus;
  /** Set when READY. */
  readonly kind?: MediaKind;
  readonly failureReason?: string;
  readonly fileName: string;
  /** The announced type. When READY, the type that its bytes show. */
  readonly contentType?: string;
  readonly bytes?: number;
  /**
   * The size that counts for the quota: the announced size until it is READY, nothing if REJECTED.
   */
  readonly claimedBytes: number;
  readonly width?: number;
  readonly height?: number;
  readonly durationSeconds?: number;
  readonly altText?: string;
  /** Where the file is fetched from, if it is not uploaded. */
  readonly sourceUrl?: string;
  /** Attempts to fetch and check it. Each attempt is counted before it begins. */
  readonly tries?: number;
  /** The name of the stored file when READY. Other files with the prefix are leftovers. */
  readonly storedName?: string;
  /** A PNG or WebP image as JPEG, for networks that accept nothing else. Does not count for the quota. */
  readonly jpeg?: { readonly storedName: string; readonly bytes: number };
  /** Number of draft and scheduled posts that use it. */
  readonly uses?: number;
  /** Incremented by every change except those of `uses`, for optimistic locking. */
  readonly version: number;
  readonly createdById: string;
  readonly createdAt: string;
};

/** Where the bytes are uploaded. They can be replaced while the upload link is valid. */
export function uploadKey(organizationId: string, mediaId: string): string {
  return `uploads/${organizationId}/${mediaId}`;
}

/** The prefix of all uploads of an organization. */
export function uploadsOf(organizationId: string): string {
  return `uploads/${organizationId}/`;
}

/** The prefix of all files of an organization's media. */
export function mediaFilesOf(organizationId: string): string {
  return `media/${organizationId}/`;
}

/** The prefix of the files of one medium. */
export function filesOfMedia(organizationId: string, mediaId: string): string {
  return `${mediaFilesOf(organizationId)}${mediaId}/`;
}

/** The stored file of READY media. */
export function fileOfMedia({
  organizationId,
  id,
  storedName = '',
  contentType = '',
}: Pick<Media, 'organizationId' | 'id' | 'storedName' | 'contentType'>): FileName {
  return {
    key: `${filesOfMedia(organizationId, id)}${storedName}`,
    contentType,
    downloadName: storedName,
  };
}

/** Returns the version of a media file for a network: Instagram accepts only JPEG images. */
export function mediumFor(platform: Platform, media: Media): Media {
  return platform === 'INSTAGRAM' && media.jpeg
    ? { ...media, ...media.jpeg, contentType: 'image/jpeg' }
    : media;
}

/** Returns the keys of all stored files of READY media. */
export function keysOfFiles(media: Media): readonly string[] {
  return [
    fileOfMedia(media).key,
    ...(media.jpeg ? [fileOfMedia({ ...media, ...media.jpeg }).key] : []),
  ];
}

export function findMedia(organizationId: string, mediaId: string): Promise<Media | undefined> {
  return get<Media>(mediaKeys.media(organizationId, mediaId));
}

/** @throws 404 */
export async function requireMedia(organizationId: string, mediaId: string): Promise<Media> {
  return requireFound(await findMedia(organizationId, mediaId), 'Media');
}

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

const linkSeconds = hourMs / secondMs;

/** Presents a media file. If it is READY, includes a link. */
export async function presentMedia(media: Media) {
  return { ...media, url: media.status === 'READY' ? await linkToMedia(media) : null };
}

/** Returns a link to the stored file of READY media. The link is valid for an hour. */
export function linkToMedia(media: Media): Promise<string> {
  return linkTo(fileOfMedia(media), linkSeconds);
}
