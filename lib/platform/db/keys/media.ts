import { beginningWith, type Key, tenant } from './key.ts';

export const mediaKeys = {
  media: (organizationId: string, mediaId: string): Key => ({
    pk: `${tenant(organizationId)}#MEDIA`,
    sk: `MEDIA#${mediaId}`,
  }),
  /** A medium in the list of its status and kind. */
  mediaEntry: (organizationId: string, list: string, mediaId: string): Key => ({
    pk: `${tenant(organizationId)}#MEDIA_LISTS`,
    sk: `${list}#${mediaId}`,
  }),
  /** A draft or scheduled post that names the medium. */
  mediaUse: (organizationId: string, mediaId: string, postId: string): Key => ({
    pk: `${tenant(organizationId)}#MEDIA_USES`,
    sk: `${mediaId}#${postId}`,
  }),
};

export const mediaRanges = {
  media: (organizationId: string) =>
    beginningWith(mediaKeys.media(organizationId, '').pk, 'MEDIA#'),
  mediaEntries: (organizationId: string, list: string) =>
    beginningWith(mediaKeys.mediaEntry(organizationId, '', '').pk, `${list}#`),
  mediaUses: (organizationId: string, mediaId: string) =>
    beginningWith(mediaKeys.mediaUse(organizationId, '', '').pk, `${mediaId}#`),
};
