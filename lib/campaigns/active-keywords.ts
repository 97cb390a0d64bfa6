import { keys } from '#lib/db/keys.ts';
import { get, getMany } from '#lib/db/read.ts';
import type { Campaign } from './campaign.ts';
import { type KeywordClaim, readKeywordClaims } from './keyword-claims.ts';
import { createKeywordMatcher } from './keyword-matcher.ts';

/** The item whose version says whether anything has changed: read it beside what is read anyway. */
export type KeywordSet = { readonly version: number };

export type ActiveKeywords = {
  /** All keywords of active campaigns that a text matches, the one that wins first. */
  readonly match: (text: string) => readonly KeywordClaim[];
  /** Those of the campaigns that a social account belongs to. */
  readonly matchFor: (socialAccountId: string, text: string) => readonly KeywordClaim[];
};

type Cached = { readonly version: number; readonly loading: Promise<ActiveKeywords> };

/** So many organizations' keywords stay in an instance. Those that were read longest ago go. */
const maxCached = 20;
const cache = new Map<string, Cached>();

/**
 * What matches the messages of an organization. As long as the version is the same nothing is read:
 * one of an item that does not exist is 0.
 */
export function activeKeywordMatcher(
  organizationId: string,
  version: number,
): Promise<ActiveKeywords> {
  const known = cache.get(organizationId);
  if (known && known.version >= version) {
    return known.loading;
  }
  const entry = { version, loading: load(organizationId, version) };
  entry.loading.catch(() => forget(organizationId, entry));
  cache.delete(organizationId);
  cache.set(organizationId, entry);
  const [oldest] = cache.keys();
  if (cache.size > maxCached && oldest !== undefined) {
    cache.delete(oldest);
  }

  return entry.loading;
}

function forget(organizationId: string, entry: Cached): void {
  if (cache.get(organizationId) === entry) {
    cache.delete(organizationId);
  }
}

/** The version of an organization's keywords, where it does not come with other items. */
export async function readKeywordVersion(organizationId: string): Promise<number> {
  const set = await get<KeywordSet>(keys.keywordSet(organizationId));

  return set?.version ?? 0;
}

async function load(organizationId: string, version: number): Promise<ActiveKeywords> {
  const claims = version === 0 ? [] : await readKeywordClaims(organizationId);
  const campaignIds = [...new Set(claims.map(({ campaignId }) => campaignId))];
  const campaigns = await getMany<Campaign>(
    campaignIds.map((id) => keys.campaign(organizationId, id)),
  );
  const accountsOf = new Map(
    campaigns.flatMap((campaign) =>
      campaign?.status === 'ACTIVE'
        ? [[campaign.id, new Set(campaign.socialAccountIds)] as const]
        : [],
    ),
  );
  const { match } = createKeywordMatcher(
    claims.filter(({ campaignId }) => accountsOf.has(campaignId)),
  );

  return {
    match,
    matchFor: (socialAccountId, text) =>
      match(text).filter(({ campaignId }) => accountsOf.get(campaignId)?.has(socialAccountId)),
  };
}
