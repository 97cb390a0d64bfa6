import { beginningWith, counterShard, type Key, type KeyRange, last, tenant } from './key.ts';

export const bioKeys = {
  bioLink: (organizationId: string, linkId: string): Key => ({
    pk: tenant(organizationId),
    sk: `BIO_LINK#${linkId}`,
  }),
  /** What a short link leads to. */
  shortCode: (code: string): Key => ({ pk: `SHORT#${code}`, sk: 'CLAIM' }),
  /** All clicks of a bio link: in shards, as many come at once. */
  bioClicks: (organizationId: string, linkId: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#BIO_CLICKS`,
    sk: `${linkId}#${counterShard(shard)}`,
  }),
  /** Those of one day (`2026-01-15`), with their countries. */
  bioDay: (organizationId: string, linkId: string, day: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#BIO_DAYS`,
    sk: `${linkId}#${day}#${counterShard(shard)}`,
  }),
  /** Those of one day that came from one host. */
  bioReferrer: (
    organizationId: string,
    linkId: string,
    day: string,
    shard: number,
    host: string,
  ): Key => ({
    pk: `${tenant(organizationId)}#BIO_REFERRERS`,
    sk: `${linkId}#${day}#${counterShard(shard)}#${host}`,
  }),
  /** A visitor whose click on a link has just been counted. */
  bioVisit: (linkId: string, visitor: string): Key => ({
    pk: `VISIT#${linkId}#${visitor}`,
    sk: 'CLAIM',
  }),
  /** What visitors are hashed with on one day. */
  visitorSalt: (day: string): Key => ({ pk: `SALT#${day}`, sk: 'SALT' }),
};

export const bioRanges = {
  bioLinks: (organizationId: string) => beginningWith(tenant(organizationId), 'BIO_LINK#'),
  /** The clicks of the links from the oldest to the newest of these. */
  bioClicks: (organizationId: string, oldestId: string, newestId: string): KeyRange => ({
    pk: bioKeys.bioClicks(organizationId, '', 0).pk,
    from: `${oldestId}#`,
    to: `${newestId}#${last}`,
  }),
  bioDays: (organizationId: string, linkId: string, from: string, to: string): KeyRange => ({
    pk: bioKeys.bioDay(organizationId, '', '', 0).pk,
    from: `${linkId}#${from}`,
    to: `${linkId}#${to}#${last}`,
  }),
  bioReferrers: (organizationId: string, linkId: string, from: string, to: string): KeyRange => ({
    pk: bioKeys.bioReferrer(organizationId, '', '', 0, '').pk,
    from: `${linkId}#${from}`,
    to: `${linkId}#${to}#${last}`,
  }),
};
