import { createHash } from 'node:crypto';
import { equals } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import {
  ConditionNotMet,
  change,
  count,
  create,
  remove,
  type Write,
} from '#lib/platform/db/write.ts';
import { badRequest, conflict } from '#lib/platform/errors/failures.ts';
import { type Campaign, type CampaignKeyword, findCampaign, hasEnded } from './campaign.ts';
import { normalizeKeywordText } from './keyword-text.ts';

/**
 * A keyword that a campaign has for itself, under its normalized text. What lists and matching read
 * is in it, so that they need not look into every campaign that there ever was.
 */
export type KeywordClaim = Omit<CampaignKeyword, 'id'> & { readonly campaignId: string };

/** The longest text that stands in a key as it is. */
const maxKeyBytes = 200;

/** The key of a keyword's claim. Texts that are the same when normalized have the same. */
export function keywordKey(organizationId: string, keyword: string): Key {
  const text = normalizeKeywordText(keyword);
  if (Buffer.byteLength(text) <= maxKeyBytes) {
    return keys.campaignKeyword(organizationId, text);
  }
  const hash = createHash('sha256').update(text).digest('hex');

  return keys.longCampaignKeyword(organizationId, hash);
}

/** The claims of all campaigns that have not ended. */
export function readKeywordClaims(organizationId: string): Promise<readonly KeywordClaim[]> {
  return query<KeywordClaim>(ranges.campaignKeywords(organizationId));
}

type NewKeyword = Pick<CampaignKeyword, 'keyword'>;

/** @throws 400 for a keyword of which nothing is left when it is normalized. */
export function requireKeywordTexts(keywords: readonly NewKeyword[]): void {
  const messages = keywords.flatMap(({ keyword }, index) =>
    normalizeKeywordText(keyword) === '' ? [`keywords.${index}.keyword should not be empty`] : [],
  );
  if (messages.length > 0) {
    throw badRequest(...messages);
  }
}

/** For each keyword the place of the first one with the same text, its own where it is the first. */
export function firstPlaces(keywords: readonly NewKeyword[]): readonly number[] {
  const texts = keywords.map(({ keyword }) => normalizeKeywordText(keyword));

  return texts.map((text) => texts.indexOf(text));
}

/** @throws 400 for keywords without a text, and for a text that occurs twice. */
export function requireDistinctKeywords(keywords: readonly NewKeyword[]): void {
  requireKeywordTexts(keywords);
  const messages = firstPlaces(keywords).flatMap((first, index) =>
    first === index
      ? []
      : [`keywords.${index}.keyword must not have the same text as keywords.${first}.keyword`],
  );
  if (messages.length > 0) {
    throw badRequest(...messages);
  }
}

/** Another campaign has the keyword. */
class KeywordTaken extends Error {
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
  const keywords = campaign && !hasEnded(campaign) ? campaign.keywords : [];

  return new Map(keywords.map((keyword) => [normalizeKeywordText(keyword.keyword), keyword]));
}

/**
 * The writes that take the claims of a campaign's keywords from one state of it to another, at most
 * one for each text. `undefined` stands for a campaign that does not exist, yet or any more.
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
      const refused = (stored: object | undefined) =>
        new KeywordTaken(key, (stored as KeywordClaim | undefined)?.campaignId ?? '');

      return [create(key, claimOf(id, keyword), refused)];
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
 * Raises the version of an organization's campaigns, in every transaction that changes what a message
 * can match and who answers it: the keywords, status, accounts and agents of campaigns.
 */
export function countCampaignsChange(organizationId: string): Write {
  return count(keys.keywordSet(organizationId), { version: 1 });
}

/**
 * Does what claims keywords.
 *
 * @throws 409 with `conflictingCampaign` where another campaign has one of them.
 */
export async function claimingKeywords<T>(
  organizationId: string,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt();
  } catch (failure) {
    if (!(failure instanceof KeywordTaken)) {
      throw failure;
    }
    const holder = await findCampaign(organizationId, failure.campaignId);
    if (!holder) {
      // It was deleted since, and its keywords with it.
      throw new ConditionNotMet(failure.key, undefined);
    }
    const { id, name } = holder;
    throw conflict('Another campaign already uses a keyword', {
      fields: { conflictingCampaign: { id, name } },
    });
  }
}
