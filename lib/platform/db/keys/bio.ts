import { beginningWith, between, counterShard, inTenant, key, last, tenant } from './key.ts';

export const bioKeys = {
  bioLink: (organizationId: string, linkId: string) =>
    inTenant(organizationId, `BIO_LINK#${linkId}`),
  /** A copy of an active link, so that the public page does not read inactive ones. */
  activeBioLink: (organizationId: string, linkId: string) =>
    inTenant(organizationId, `BIO_ACTIVE#${linkId}`),
  /** The target of a short link. */
  shortCode: (code: string) => key(`SHORT#${code}`, 'CLAIM'),
  /** All clicks of a bio link, sharded for concurrent writes. */
  bioClicks: (organizationId: string, linkId: string, shard: number) =>
    key(`${tenant(organizationId)}#BIO_CLICKS`, `${linkId}#${counterShard(shard)}`),
  /** Clicks on one day (`2026-01-15`), by country. */
  bioDay: (organizationId: string, linkId: string, day: string, shard: number) =>
    key(`${tenant(organizationId)}#BIO_DAYS`, `${linkId}#${day}#${counterShard(shard)}`),
  /** Clicks on one day that came from one host. */
  bioReferrer: (organizationId: string, linkId: string, day: string, shard: number, host: string) =>
    key(
      `${tenant(organizationId)}#BIO_REFERRERS`,
      `${linkId}#${day}#${counterShard(shard)}#${host}`,
    ),
  /** Deduplicates clicks of the same visitor within a short time. */
  bioVisit: (linkId: string, visitor: string) => key(`VISIT#${linkId}#${visitor}`, 'CLAIM'),
  /** The salt for hashing visitors on one day. */
  visitorSalt: (day: string) => key(`SALT#${day}`, 'SALT'),
};

export const bioRanges = {
  bioLinks: (organizationId: string) => beginningWith(tenant(organizationId), 'BIO_LINK#'),
  activeBioLinks: (organizationId: string) => beginningWith(tenant(organizationId), 'BIO_ACTIVE#'),
  bioClicks: (organizationId: string, oldestId: string, newestId: string) =>
    between(bioKeys.bioClicks(organizationId, '', 0).pk, `${oldestId}#`, `${newestId}#${last}`),
  bioDays: (organizationId: string, linkId: string, from: string, to: string) =>
    between(
      bioKeys.bioDay(organizationId, '', '', 0).pk,
      `${linkId}#${from}`,
      `${linkId}#${to}#${last}`,
    ),
  bioReferrers: (organizationId: string, linkId: string, from: string, to: string) =>
    between(
      bioKeys.bioReferrer(organizationId, '', '', 0, '').pk,
      `${linkId}#${from}`,
      `${linkId}#${to}#${last}`,
    ),
};
