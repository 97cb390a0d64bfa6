import { absent, allOf, type Condition, either, equals } from '#lib/platform/db/conditions.ts';
import { mediaKeys } from '#lib/platform/db/keys/media.ts';
import {
  type Attributes,
  applied,
  change,
  create,
  discard,
  remove,
  type Write,
} from '#lib/platform/db/write.ts';
import type { MediaStatus } from '#schemas/media.ts';
import type { Media } from './media.ts';
import { planStorageUsed, type StorageLimit } from './storage-used.ts';

/** The list that a media file is in. READY media are listed by kind. */
export type MediaList = Exclude<MediaStatus, 'READY'> | 'IMAGE' | 'VIDEO';

export function listOf({ status, kind = 'IMAGE' }: Media): MediaList {
  return status === 'READY' ? kind : status;
}

/** @param limit makes it fail with a 409 if the quota is exceeded. */
export function planMedia(media: Media, limit?: StorageLimit): readonly Write[] {
  const { organizationId, id } = media;

  return [
    planStorageUsed(organizationId, undefined, media, limit),
    create(mediaKeys.media(organizationId, id), media),
    create(mediaKeys.mediaEntry(organizationId, listOf(media), id), { id }),
  ];
}

/** Fails if the media file has changed since it was read. */
export function planMediaChange(
  before: Media,
  set: Attributes,
  limit?: StorageLimit,
): { readonly after: Media; readonly writes: readonly Write[] } {
  const { organizationId, id, version } = before;
  const changes = { ...set, version: version + 1 };
  const after = applied(before, changes);
  const [from, to] = [listOf(before), listOf(after)];

  return {
    after,
    writes: [
      ...(from === to && before.claimedBytes === after.claimedBytes
        ? []
        : [planStorageUsed(organizationId, before, after, limit)]),
      change(mediaKeys.media(organizationId, id), {
        set: changes,
        when: equals('version', version),
      }),
      ...(from === to
        ? []
        : [
            discard(mediaKeys.mediaEntry(organizationId, from, id)),
            create(mediaKeys.mediaEntry(organizationId, to, id), { id }),
          ]),
    ],
  };
}

/** True while no draft or scheduled post uses the media file. */
function isUnused(): Condition {
  return either(absent('uses'), equals('uses', 0));
}

/** Fails if the media file has changed since it was read, or if posts use it. */
export function planMediaRemoval(media: Media): readonly Write[] {
  const { organizationId, id, version } = media;

  return [
    remove(mediaKeys.media(organizationId, id), {
      when: allOf(equals('version', version), isUnused()),
    }),
    planStorageUsed(organizationId, media, undefined),
    discard(mediaKeys.mediaEntry(organizationId, listOf(media), id)),
  ];
}
