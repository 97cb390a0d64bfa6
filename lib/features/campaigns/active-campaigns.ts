import { campaignKeys, campaignRanges } from '#lib/platform/db/keys/campaigns.ts';
import { organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { get, query } from '#lib/platform/db/read.ts';
import type { Channel } from '#schemas/platforms.ts';
import type { AgentConfig, Campaign } from './campaign.ts';
import { type KeywordClaim, readKeywordClaims } from './keyword-claims.ts';
import { createKeywordMatcher } from './keyword-matcher.ts';
import { createRuleMatcher } from './match-moderation-rules.ts';
import type { ModerationRule } from './moderation-rules.ts';

/**
 * The version increases when campaigns or moderation rules change. Read it together with other
 * items.
 */
export type CampaignsVersion = { readonly version: number };

export type ActiveCampaigns = {
  readonly match: (text: string) => readonly KeywordClaim[];
  readonly matchFor: (socialAccountId: string, text: string) => readonly KeywordClaim[];
  /** Returns the oldest active moderation rule of the account that matches a comment's text. */
  readonly moderationRuleFor: (socialAccountId: string, text: string) => ModerationRule | undefined;
  /** The posts that a campaign is limited to. Empty if it has no limit. */
  readonly postIdsOf: (campaignId: string) => readonly string[];
  /** The agents of all active campaigns, including those without keywords. */
  readonly agentConfigs: readonly AgentConfig[];
  /** True if one of the campaigns answers on this channel of the account. */
  readonly listensOn: (socialAccountId: string, channel: Channel) => boolean;
  /** True if a keyword of a paused campaign of the account matches. */
  readonly matchesPaused: (socialAccountId: string, text: string) => boolean;
  readonly isPaused: (campaignId: string) => boolean;
};

type Cached = { readonly version: number; readonly loading: Promise<ActiveCampaigns> };

/** Maximum number of organizations cached per instance. The least recently loaded is evicted. */
const maxCached = 20;
const cache = new Map<string, Cached>();

/**
 * Returns the keywords and agents of an organization's active campaigns, and its moderation rules.
 * Reads nothing while the version is unchanged. If the item is missing, the version is 0.
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

export async function readCampaignsVersion(organizationId: string): Promise<number> {
  const set = await get<CampaignsVersion>(campaignKeys.keywordSet(organizationId));

  return set?.version ?? 0;
}

async function load(organizationId: string, version: number): Promise<ActiveCampaigns> {
  const [claims, campaigns, rules] =
    version === 0
      ? [[], [], []]
      : await Promise.all([
          readKeywordClaims(organizationId),
          query<Campaign>(campaignRanges.campaigns(organizationId)),
          query<ModerationRule>(organizationRanges.records(organizationId, 'MODERATION_RULE')),
        ]);
  const active = campaigns.filter(({ status }) => status === 'ACTIVE');
  const paused = campaigns.filter(({ status }) => status === 'PAUSED');
  const postIds = new Map(active.map((campaign) => [campaign.id, campaign.postIds ?? []]));
  let ofPaused: KeywordMatcher | undefined;

  return {
    ...keywordMatcher(active, claims),
    listensOn: (socialAccountId, channel) =>
      active.some(
        ({ socialAccountIds, agentConfigs }) =>
          socialAccountIds.includes(socialAccountId) &&
          agentConfigs.some((config) => config.channel === channel),
      ),
    matchesPaused: (socialAccountId, text) => {
      ofPaused ??= keywordMatcher(paused, claims);

      return ofPaused.matchFor(socialAccountId, text).length > 0;
    },
    isPaused: (campaignId) => paused.some(({ id }) => id === campaignId),
    moderationRuleFor: createRuleMatcher(rules),
    postIdsOf: (campaignId) => postIds.get(campaignId) ?? [],
    agentConfigs: active.flatMap(({ agentConfigs }) => agentConfigs),
  };
}

type KeywordMatcher = Pick<ActiveCampaigns, 'match' | 'matchFor'>;

function keywordMatcher(
  campaigns: readonly Campaign[],
  claims: readonly KeywordClaim[],
): KeywordMatcher {
  const accountsOf = new Map(
    campaigns.map(({ id, socialAccountIds }) => [id, new Set(socialAccountIds)]),
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
