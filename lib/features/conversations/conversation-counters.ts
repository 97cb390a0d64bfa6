import {
  type AttributedCount,
  attributedCount,
  planAttributionCount,
} from '#lib/features/attribution/attribution-counters.ts';
import { type Amounts, difference } from '#lib/platform/db/amounts.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { shardOf } from '#lib/platform/db/lists/shards.ts';
import { query } from '#lib/platform/db/read.ts';
import { count, type Write } from '#lib/platform/db/write.ts';
import type { Conversation } from './conversation.ts';
import { planResponderCounts } from './responder-counts.ts';

/** Counters are sharded so that concurrent writes do not contend for one item. */
export const conversationCounterShards = 16;

export const counted = {
  all: 'all',
  account: (accountId: string) => `account:${accountId}`,
  campaign: (campaignId: string) => `campaign:${campaignId}`,
  assignee: (userId: string) => `assignee:${userId}`,
};

/** Returns the amounts that one conversation adds to each counter. A counter is their sum. */
export function conversationAmounts(
  conversation: Conversation | undefined,
): ReadonlyMap<string, Amounts> {
  if (!conversation) {
    return new Map();
  }
  const { socialAccountId, campaignId, assigneeId } = conversation;
  const { status, channel, controller, rating } = conversation;
  const rated: Amounts = rating === undefined ? {} : { ratings: 1, ratingSum: rating };
  const all = {
    total: 1,
    [`status_${status}`]: 1,
    [`channel_${channel}`]: 1,
    [`controller_${controller}`]: 1,
    ...(assigneeId ? { assigned: 1 } : {}),
    ...rated,
  };

  return new Map<string, Amounts>([
    [counted.all, all],
    [counted.account(socialAccountId), { total: 1 }],
    ...(assigneeId ? [[counted.assignee(assigneeId), { total: 1 }] as const] : []),
    ...(campaignId ? [[counted.campaign(campaignId), { total: 1, ...rated }] as const] : []),
  ]);
}

/**
 * Returns the amounts that one conversation adds to the counter of its attribution, on the day of
 * the keyword match.
 */
export function attributedConversation(
  conversation: Conversation | undefined,
): AttributedCount | undefined {
  const { attribution, keywordMatchedAt: at } = conversation ?? {};
  if (!conversation || !attribution || at === undefined) {
    return undefined;
  }
  const { organizationId, id } = conversation;
  const amounts = { conversations: 1 };

  return attributedCount({
    organizationId,
    counted: 'CONVERSATIONS',
    id,
    at,
    attribution,
    amounts,
  });
}

/**
 * Writes that update all counters after a conversation changed. Pass `undefined` as `before` for a
 * new conversation, and as `after` for a removed one. Write them together with a condition that the counted fields are unchanged
 * since they were read.
 */
export function planConversationCount(
  before: Conversation | undefined,
  after: Conversation | undefined,
): readonly Write[] {
  const conversation = after ?? before;
  if (!conversation) {
    return [];
  }
  const { organizationId, id } = conversation;
  const [was, is] = [conversationAmounts(before), conversationAmounts(after)];
  const shard = shardOf(id, conversationCounterShards);
  const counters = [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const amounts = difference(was.get(name) ?? {}, is.get(name) ?? {});

    return Object.keys(amounts).length > 0
      ? [count(socialKeys.conversationCounter(organizationId, name, shard), amounts)]
      : [];
  });

  return [
    ...counters,
    ...planRatingCount(organizationId, before, after),
    ...planAttributionCount(attributedConversation(before), attributedConversation(after)),
  ];
}

function planRatingCount(
  organizationId: string,
  before: Conversation | undefined,
  after: Conversation | undefined,
): readonly Write[] {
  return before?.rating === after?.rating
    ? []
    : planResponderCounts(
        organizationId,
        { by: before?.ratedFor, amounts: { ratings: -1, ratingSum: -(before?.rating ?? 0) } },
        { by: after?.ratedFor, amounts: { ratings: 1, ratingSum: after?.rating ?? 0 } },
      );
}

/** Returns one counter's total over all of its shards. */
export async function readConversationCount(
  organizationId: string,
  name: string,
  attribute = 'total',
): Promise<number> {
  const items = await query<Key & Record<string, unknown>>(
    socialRanges.conversationCounters(organizationId, name),
  );

  return items.reduce((sum, item) => sum + Number(item[attribute] ?? 0), 0);
}
