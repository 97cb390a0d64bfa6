import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import type { AgentConfig, Campaign } from './campaign.ts';
import { type KeywordClaim, readKeywordClaims } from './keyword-claims.ts';
import { createKeywordMatcher } from './keyword-matcher.ts';

/** The item whose version says whether anything has changed: read it beside what is read anyway. */
export type CampaignsVersion = { readonly version: number };

export type ActiveCampaigns = {
  /** All keywords of active campaigns that a text matches, the one that wins first. */
  readonly match: (text: string) => readonly KeywordClaim[];
  /** Those of the campaigns that a social account belongs to. */
  readonly matchFor: (socialAccountId: string, text: string) => readonly KeywordClaim[];
  /** The agents of all of them, those without keywords too. */
  readonly agentConfigs: readonly AgentConfig[];
};

type Cached = { readonly version: number; readonly loading: Promise<ActiveCampaigns> };

/** So many organizations' campaigns stay in an instance. Those that were read longest ago go. */
const maxCached = 20;
const cache = new Map<string, Cached>();

/**
 * What matches the messages of an organization, and who answers. As long as the version is the same
 * nothing is read: one of an item that does not exist is 0.
 */
export function activeCampaigns(organizationId: string, version: number): Promise<ActiveCampaigns> {
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

/** The version of an organization's campaigns, where it does not come with other items. */
export async function readCampaignsVersion(organizationId: string): Promise<number> {
  const set = await get<CampaignsVersion>(keys.keywordSet(organizationId));

  return set?.version ?? 0;
}

async function load(organizationId: string, version: number): Promise<ActiveCampaigns> {
  const [claims, campaigns] =
    version === 0
      ? [[], []]
      : await Promise.all([
          readKeywordClaims(organizationId),
          query<Campaign>(ranges.campaigns(organizationId)),
        ]);
  const active = campaigns.filter(({ status }) => status === 'ACTIVE');
  const accountsOf = new Map(
    active.map(({ id, socialAccountIds }) => [id, new Set(socialAccountIds)]),
  );
  const { match } = createKeywordMatcher(
    claims.filter(({ campaignId }) => accountsOf.has(campaignId)),
  );

  return {
    match,
    matchFor: (socialAccountId, text) =>
      match(text).filter(({ campaignId }) => accountsOf.get(campaignId)?.has(socialAccountId)),
    agentConfigs: active.flatMap(({ agentConfigs }) => agentConfigs),
  };
}
