import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { dueIn, listOf } from '#lib/platform/db/lists/shards.ts';
import { create, type Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Channel } from '#schemas/platforms.ts';
import type { Conversation } from './conversation.ts';
import { planConversationCount } from './conversation-counters.ts';
import { customerWords, planConversationEntries } from './conversation-entries.ts';

export type Beginning = {
  readonly account: Pick<SocialAccount, 'id' | 'organizationId' | 'platform'>;
  readonly channel: Channel;
  readonly customer: { readonly id: string; readonly name: string };
};

/** Creates an empty conversation in which the agent may answer. */
export function newConversation({ account, channel, customer }: Beginning): Conversation {
  const id = newId();
  const now = timestamp();

  return {
    id,
    organizationId: account.organizationId,
    list: listOf('conversation', id),
    socialAccountId: account.id,
    platform: account.platform,
    channel,
    customer,
    controller: 'BOT',
    controlVersion: 0,
    status: 'OPEN',
    responseCount: 0,
    rank: Date.parse(now),
    ...scheduleIdleCheck(),
    createdAt: now,
    updatedAt: now,
  };
}

export function scheduleIdleCheck(): Pick<Conversation, 'duePk' | 'dueAt'> {
  const { conversationCloseDays } = config;

  return conversationCloseDays > 0
    ? dueIn('SILENCE', timestamp(conversationCloseDays * dayMs))
    : {};
}

/**
 * Writes that create a conversation. A customer has one per account and channel, so they fail with
 * a conflict if it already exists.
 */
export function planConversation(conversation: Conversation): readonly Write[] {
  const { organizationId, id, socialAccountId, channel, customer } = conversation;

  return [
    create(socialKeys.conversationClaim(organizationId, socialAccountId, channel, customer.id), {
      conversationId: id,
    }),
    create(socialKeys.conversation(organizationId, id), {
      ...conversation,
      words: customerWords(conversation),
    }),
    ...planConversationCount(undefined, conversation),
    ...planConversationEntries(undefined, conversation),
  ];
}
