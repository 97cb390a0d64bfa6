import { beginningWith, key, tenant } from './key.ts';

export const mediaKeys = {
  media: (organizationId: string, mediaId: string) =>
    key(`${tenant(organizationId)}#MEDIA`, `MEDIA#${mediaId}`),
  /** A media file in the list of one status and kind. */
  mediaEntry: (organizationId: string, list: string, mediaId: string) =>
    key(`${tenant(organizationId)}#MEDIA_LISTS`, `${list}#${mediaId}`),
};

export const mediaRanges = {
  media: (organizationId: string) =>
    beginningWith(mediaKeys.media(organizationId, '').pk, 'MEDIA#'),
  mediaEntries: (organizationId: string, list: string) =>
    beginningWith(mediaKeys.mediaEntry(organizationId, '', '').pk, `${list}#`),
};
