import { readRecentTexts } from '#lib/features/conversations/messages/recent-texts.ts';
import { campaignKeys } from '#lib/platform/db/keys/campaigns.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { normalizeKeywordText } from '#lib/platform/keyword-text.ts';
import type { keywordConflictTypes, MatchType, suggestionTypes } from '#schemas/campaigns.ts';
import { activeCampaigns, readCampaignsVersion } from './active-campaigns.ts';
import type { Campaign } from './campaign.ts';
import { firstPlaces, type KeywordClaim, keywordKey } from './keyword-claims.ts';
import { compareMatches, createKeywordMatcher, type MatchableKeyword } from './keyword-matcher.ts';

type Candidate = {
  readonly keyword: string;
  readonly matchType: MatchType;
  readonly priority?: number | null | undefined;
};

type Conflict = Pick<Candidate, 'keyword' | 'matchType'> & {
  readonly type: (typeof keywordConflictTypes)[number];
  readonly conflictingCampaign: { readonly id: string; readonly name: string } | null;
};

type Suggestion = {
  readonly keyword: string;
  readonly suggestion: string;
  readonly type: (typeof suggestionTypes)[number];
};

const sampleSize = 1_000;
const defaultPriority = 1;
/** Shorter substrings often occur in unrelated messages. */
const maxRiskyLength = 3;

/** Sorts after every id, so that a campaign that does not exist yet counts as the newest one. */
const newestCampaignId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * For each match type, the types that match at least as often, if their text is a part of the
 * keyword.
 */
const broaderThan: Readonly<Record<MatchType, readonly MatchType[]>> = {
  EXACT: ['STARTS_WITH', 'ENDS_WITH', 'CONTAINS'],
  STARTS_WITH: ['STARTS_WITH', 'CONTAINS'],
  ENDS_WITH: ['ENDS_WITH', 'CONTAINS'],
  CONTAINS: ['CONTAINS'],
};

type Match = (text: string) => readonly MatchableKeyword[];

/** Returns a keyword that outranks this one wherever it matches, if there is one. */
export function shadowOf(keyword: MatchableKeyword, match: Match): MatchableKeyword | undefined {
  const broader = broaderThan[keyword.matchType];
  // Without surrounding symbols, because a message may lack them.
  const text = normalizeKeywordText(keyword.keyword);

  return match(text).find(
    (other) =>
      other !== keyword &&
      broader.includes(other.matchType) &&
      normalizeKeywordText(other.keyword) !== text &&
      compareMatches(other, keyword) < 0,
  );
}

function riskOf({ keyword, matchType }: Candidate): Suggestion | undefined {
  const length = [...normalizeKeywordText(keyword)].length;

  return matchType === 'CONTAINS' && length <= maxRiskyLength
    ? {
        keyword,
        type: 'SUBSTRING_RISK',
        suggestion: `"${keyword}" is so short that it stands in many messages that mean something else. Use EXACT, or a longer phrase.`,
      }
    : undefined;
}

function shadowedBy(
  keyword: string,
  other: MatchableKeyword,
  name: string | undefined,
): Suggestion {
  const where = name === undefined ? '' : ` of the campaign "${name}", on accounts that both have`;

  return {
    keyword,
    type: 'SHADOWED',
    suggestion: `"${other.keyword}" (${other.matchType}, priority ${other.priority})${where} matches wherever "${keyword}" does, and wins. Give "${keyword}" a lower priority number.`,
  };
}

function coverageOf(match: Match, texts: readonly string[]): number {
  const matched = texts.filter((text) => match(text).length > 0).length;

  return texts.length === 0 ? 0 : Math.round((matched / texts.length) * 10_000) / 100;
}

function countType(keywords: readonly Candidate[], type: MatchType): number {
  return keywords.filter(({ matchType }) => matchType === type).length;
}

function conflictsOf(
  keywords: readonly Candidate[],
  holders: ReadonlyArray<string | undefined>,
  names: ReadonlyMap<string, string>,
): readonly Conflict[] {
  const first = firstPlaces(keywords);

  return keywords.flatMap(({ keyword, matchType }, index): readonly Conflict[] => {
    const id = holders[index];
    const name = id === undefined ? undefined : names.get(id);
    const isTaken = id !== undefined && name !== undefined;

    return [
      ...(isTaken
        ? [
            {
              keyword,
              matchType,
              type: 'USED_BY_CAMPAIGN' as const,
              conflictingCampaign: { id, name },
            },
          ]
        : []),
      ...(first[index] === index
        ? []
        : [{ keyword, matchType, type: 'DUPLICATE' as const, conflictingCampaign: null }]),
    ];
  });
}

/**
 * Checks keywords before a campaign claims them. Read-only.
 *
 * @param campaignId the campaign that the keywords are for, if it already exists.
 */
export async function validateKeywords(
  organizationId: string,
  given: readonly Candidate[],
  campaignId: string | null | undefined,
) {
  const [active, claims, texts] = await Promise.all([
    readCampaignsVersion(organizationId).then((version) =>
      activeCampaigns(organizationId, version),
    ),
    getMany<KeywordClaim>(given.map(({ keyword }) => keywordKey(organizationId, keyword))),
    readRecentTexts(organizationId, sampleSize),
  ]);
  const candidates = given.map((keyword) => ({
    ...keyword,
    priority: keyword.priority ?? defaultPriority,
    campaignId: campaignId ?? newestCampaignId,
  }));
  const own = createKeywordMatcher(candidates).match;
  const matchOthers: Match = (text) =>
    active.match(text).filter((other) => other.campaignId !== campaignId);
  const shadows = candidates.map(
    (keyword) => shadowOf(keyword, own) ?? shadowOf(keyword, matchOthers),
  );
  const holders = claims.map((claim) =>
    claim?.campaignId === campaignId ? undefined : claim?.campaignId,
  );
  const names = await readNames(organizationId, [
    ...holders,
    ...shadows.map((shadow) => shadow?.campaignId),
  ]);
  const conflicts = conflictsOf(given, holders, names);

  return {
    valid: conflicts.length === 0,
    conflicts,
    suggestions: given.flatMap((keyword, index) => {
      const [shadow, risk] = [shadows[index], riskOf(keyword)];

      return [
        ...(shadow ? [shadowedBy(keyword.keyword, shadow, names.get(shadow.campaignId))] : []),
        ...(risk ? [risk] : []),
      ];
    }),
    statistics: {
      totalKeywords: given.length,
      exactMatches: countType(given, 'EXACT'),
      containsMatches: countType(given, 'CONTAINS'),
      estimatedCoverage: coverageOf(own, texts),
    },
  };
}

async function readNames(
  organizationId: string,
  ids: ReadonlyArray<string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== undefined && id !== newestCampaignId))];
  const campaigns = await getMany<Campaign>(
    wanted.map((id) => campaignKeys.campaign(organizationId, id ?? '')),
  );

  return new Map(campaigns.flatMap((found) => (found ? [[found.id, found.name] as const] : [])));
}
