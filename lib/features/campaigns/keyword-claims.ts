import { createHash } from 'node:crypto';
import { equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { campaignKeys, campaignRanges } from '#lib/platform/db/keys/campaigns.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { query } from '#lib/platform/db/read.ts';
import { change, count, create, remove, type Write } from '#lib/platform/db/write.ts';
import { apiError } from '#lib/platform/errors/failures.ts';
import { normalizeKeywordText } from '#lib/platform/keyword-text.ts';
import { type Campaign, type CampaignKeyword, findCampaign, hasCampaignEnded } from './campaign.ts';

/**
 * A keyword that a campaign has claimed, stored under its normalized text. It contains all data for
 * listing and matching, so that these need not read every campaign.
 */
export type KeywordClaim = Omit<CampaignKeyword, 'id'> & { readonly campaignId: string };

/** Longer texts are stored by their hash, because keys are limited in size. */
const maxKeyBytes = 200;

/** Returns the key of a keyword's claim. Texts with the same normalized form share a key. */
export function keywordKey(organizationId: string, keyword: string): Key {
  const text = normalizeKeywordText(keyword);
  if (Buffer.byteLength(text) <= maxKeyBytes) {
    return campaignKeys.campaignKeyword(organizationId, text);
  }
  const hash = createHash('sha256').update(text).digest('hex');

  return campaignKeys.longCampaignKeyword(organizationId, hash);
}

/** Returns the keyword claims of all campaigns that have not ended. */
export function readKeywordClaims(organizationId: string): Promise<readonly KeywordClaim[]> {
  return query<KeywordClaim>(campaignRanges.campaignKeywords(organizationId));
}

type NewKeyword = Pick<CampaignKeyword, 'keyword'>;

/** Returns a problem for each keyword that is empty after normalization. */
export function emptyKeywordProblems(keywords: readonly NewKeyword[]): readonly string[] {
  return keywords.flatMap(({ keyword }, index) =>
    normalizeKeywordText(keyword) === '' ? [`keywords.${index}.keyword should not be empty`] : [],
  );
}

export function firstPlaces(keywords: readonly NewKeyword[]): readonly number[] {
  const texts = keywords.map(({ keyword }) => normalizeKeywordText(keyword));

  return texts.map((text) => texts.indexOf(text));
}

/** Returns a problem for each keyword that is empty or a duplicate. */
export function distinctKeywordProblems(keywords: readonly NewKeyword[]): readonly string[] {
  const duplicates = firstPlaces(keywords).flatMap((first, index) =>
    first === index
      ? []
      : [`keywords.${index}.keyword must not have the same text as keywords.${first}.keyword`],
  );
  const empty = emptyKeywordProblems(keywords);

  return empty.length > 0 ? empty : duplicates;
}

class KeywordTakenError extends Error {
  readonly campaignId: string;
  readonly key: Key;

  constructor(key: Key, campaignId: string) {
    super('Another campaign has the keyword');
    this.key = key;
    this.campaignId = campaignId;
  }
}

function claimOf(campaignId: string, { id: _, ...keyword }: CampaignKeyword): KeywordClaim {
  return { ...keyword, campaignId };
}

type Owner = Pick<Campaign, 'organizationId' | 'id' | 'status' | 'keywords'>;

function claimsOf(campaign: Owner | undefined): ReadonlyMap<string, CampaignKeyword> {
  const keywords = campaign && !hasCampaignEnded(campaign) ? campaign.keywords : [];

  return new Map(keywords.map((keyword) => [normalizeKeywordText(keyword.keyword), keyword]));
}

/**
 * Returns the writes that update the keyword claims after a change of the campaign, at most one per
 * text. `undefined` means that the campaign does not exist before or after the change.
 */
export function planKeywordClaims(
  before: Owner | undefined,
  after: Owner | undefined,
): readonly Write[] {
  const owner = after ?? before;
  if (!owner) {
    return [];
  }
  const { organizationId, id } = owner;
  const [former, wanted] = [claimsOf(before), claimsOf(after)];
  const when = equals('campaignId', id);
  const released = [...former]
    .filter(([text]) => !wanted.has(text))
    .map(([text]) => remove(keywordKey(organizationId, text), { when }));
  const claimed = [...wanted].flatMap(([text, keyword]) => {
    const key = keywordKey(organizationId, text);
    const known = former.get(text);
    if (!known) {
      const onConditionFailed = (stored: object | undefined) =>
        new KeywordTakenError(key, (stored as KeywordClaim | undefined)?.campaignId ?? '');

      return [create(key, claimOf(id, keyword), onConditionFailed)];
    }

    return isSame(known, keyword) ? [] : [change(key, { set: claimOf(id, keyword), when })];
  });

  return [...released, ...claimed];
}

function isSame(one: CampaignKeyword, other: CampaignKeyword): boolean {
  return (
    one.keyword === other.keyword &&
    one.matchType === other.matchType &&
    one.priority === other.priority
  );
}

/**
 * Increments the version of an organization's campaigns. Required in every transaction that changes
 * how messages are matched or answered: changes of keywords, status, accounts and agents.
 */
export function planCampaignsChange(organizationId: string): Write {
  return count(campaignKeys.keywordSet(organizationId), { version: 1 });
}

/**
 * Runs an operation that claims keywords.
 *
 * @throws 409 with `conflictingCampaign` if another campaign has claimed one of them.
 */
export async function claimingKeywords<T>(
  organizationId: string,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt();
  } catch (failure) {
    if (!(failure instanceof KeywordTakenError)) {
      throw failure;
    }
    const holder = await findCampaign(organizationId, failure.campaignId);
    if (!holder) {
      // The campaign and its claims were deleted in the meantime, so retry.
      throw new ConditionNotMetError(failure.key, undefined);
    }
    const { id, name } = holder;
    throw apiError('KEYWORD_IN_USE', 'Another campaign already uses a keyword', {
      fields: { conflictingCampaign: { id, name } },
    });
  }
}
