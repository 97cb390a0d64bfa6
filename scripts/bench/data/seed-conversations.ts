import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import {
  conversationAmounts,
  conversationCounterShards,
} from '#lib/features/conversations/conversation-counters.ts';
import { newConversation, planConversation } from '#lib/features/conversations/new-conversation.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { shardOf } from '#lib/platform/db/lists/shards.ts';
import { newId } from '#lib/platform/ids.ts';
import { channels } from '#schemas/platforms.ts';
import { createSums, type Item, putAll } from './seed-items.ts';

/** The organization of the conversations, and the records that they link to. */
export type InboxTenant = {
  readonly organizationId: string;
  readonly socialAccountId: string;
  readonly campaignId: string;
  readonly assigneeId: string;
  /** Linked to one conversation each. */
  readonly contactId: string;
  readonly leadId: string;
};

export function newInboxTenant(organizationId: string): InboxTenant {
  return {
    organizationId,
    socialAccountId: newId(),
    campaignId: newId(),
    assigneeId: newId(),
    contactId: newId(),
    leadId: newId(),
  };
}

/** Conversations at this distance differ only in their ids, times and customers. */
const period = 4;
/** The index of the only conversation with the contact and the lead. */
const linkedIndex = 1;
const firstMessageMs = Date.parse('2026-01-05T09:00:00.000Z');

/**
 * Returns the conversation with this number. A quarter is assigned, a quarter waits, and a quarter
 * has the campaign.
 */
function sampleConversation(tenant: InboxTenant, index: number): Conversation {
  const { organizationId, socialAccountId, campaignId, assigneeId, contactId, leadId } = tenant;
  const isFourth = index % period === 0;
  const lastMessageAt = new Date(firstMessageMs + index * 1_000).toISOString();

  return {
    ...newConversation({
      account: {
        organizationId,
        id: index % 2 === 0 ? socialAccountId : newId(),
        platform: 'FACEBOOK',
      },
      channel: channels[index % channels.length] ?? 'COMMENT',
      customer: { id: `customer-${index}`, name: `Charles ${isFourth ? 'Babbage' : 'Dickens'}` },
    }),
    rank: Date.parse(lastMessageAt),
    lastMessage: {
      direction: 'IN',
      author: 'CUSTOMER',
      text: 'What does an engine cost, and when can you deliver it?',
      createdAt: lastMessageAt,
    },
    unreadCount: index % 8 < 5 ? 1 : 0,
    ...(isFourth
      ? {
          controller: 'HUMAN',
          status: 'PAUSED',
          stopReason: 'HUMAN_TAKEOVER',
          unansweredSince: lastMessageAt,
          campaignId,
          assigneeId,
        }
      : {}),
    ...(index === linkedIndex ? { leadContactId: contactId, leadId } : {}),
  };
}

/** Writes `size` conversations as the service would. */
export async function seedConversations(
  client: DynamoDBDocumentClient,
  tenant: InboxTenant,
  size: number,
): Promise<void> {
  const { organizationId, assigneeId, contactId, leadId } = tenant;
  const counters = createSums();
  const items: Item[] = [{ ...keys.lead(organizationId, leadId), id: leadId, contactId }];
  for (let index = 0; index < size; index += 1) {
    const conversation = sampleConversation(tenant, index);
    const { id } = conversation;
    for (const { kind, item, key } of planConversation(conversation)) {
      if (kind === 'create') {
        items.push({ ...item, ...key });
      }
    }
    const shard = shardOf(id, conversationCounterShards);
    for (const [name, amounts] of conversationAmounts(conversation)) {
      counters.addTo(keys.conversationCounter(organizationId, name, shard), amounts);
    }
    if (conversation.assigneeId) {
      items.push({ ...keys.assignment(organizationId, assigneeId, id), conversationId: id });
    }
  }
  await putAll(client, [...items, ...counters.items()]);
}

/** The queries whose costs are compared: each order, and each filter. */
export function inboxQueries(
  tenant: InboxTenant,
): ReadonlyArray<readonly [name: string, query: Readonly<Record<string, string>>]> {
  const { socialAccountId, campaignId, assigneeId, contactId, leadId } = tenant;
  const filters: Readonly<Record<string, string>> = {
    status: 'PAUSED',
    channel: 'COMMENT',
    socialAccountId,
    campaignId,
    assignedToId: assigneeId,
    controller: 'HUMAN',
    unread: 'true',
    waiting: 'true',
    leadId,
    contactId,
    search: 'babb',
  };

  return ['created', 'lastMessage', 'waiting'].flatMap((sort) => [
    [`by ${sort}`, { sort }] as const,
    ...Object.entries(filters).map(
      ([filter, value]) => [`by ${sort}, ${filter}`, { sort, [filter]: value }] as const,
    ),
    [`by ${sort}, nobody, unread`, { sort, assignedToId: 'none', unread: 'true' }] as const,
  ]);
}
