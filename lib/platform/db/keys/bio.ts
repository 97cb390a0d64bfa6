import { beginningWith, counterShard, type Key, type KeyRange, last, tenant } from './key.ts';

export const bioKeys = {
  bioLink: (organizationId: string, linkId: string): Key => ({
    pk: tenant(organizationId),
    sk: `BIO_LINK#${linkId}`,
  }),
  /** A copy of an active link, so that the public page does not read inactive ones. */
  activeBioLink: (organizationId: string, linkId: string): Key => ({
    pk: tenant(organizationId),
    sk: `BIO_ACTIVE#${linkId}`,
  }),
  /** The target of a short link. */
  shortCode: (code: string): Key => ({ pk: `SHORT#${code}`, sk: 'CLAIM' }),
  /** All clicks of a bio link, sharded for concurrent writes. */
  bioClicks: (organizationId: string, linkId: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#BIO_CLICKS`,
    sk: `${linkId}#${counterShard(shard)}`,
  }),
  /** Clicks on one day (`2026-01-15`), by country. */
  bioDay: (organizationId: string, linkId: string, day: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#BIO_DAYS`,
    sk: `${linkId}#${day}#${counterShard(shard)}`,
  }),
  /** Clicks on one day that came from one host. */
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
  /** Deduplicates clicks of the same visitor within a short time. */
  bioVisit: (linkId: string, visitor: string): Key => ({
    pk: `VISIT#${linkId}#${visitor}`,
    sk: 'CLAIM',
  }),
  /** The salt for hashing visitors on one day. */
  visitorSalt: (day: string): Key => ({ pk: `SALT#${day}`, sk: 'SALT' }),
};

export const bioRanges = {
  bioLinks: (organizationId: string) => beginningWith(tenant(organizationId), 'BIO_LINK#'),
  activeBioLinks: (organizationId: string) => beginningWith(tenant(organizationId), 'BIO_ACTIVE#'),
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
