import { timestamp } from '#lib/platform/clock.ts';
import { changedFields } from '#lib/platform/db/changes-something.ts';
import { allOf, type Condition, unchanged } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  type Alongside,
  ConditionNotMetError,
  change,
  discard,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { answererOf } from './answerer-usage.ts';
import { answered, read } from './attention.ts';
import { type Conversation, type Message, presentConversation } from './conversation.ts';
import { planConversationCount } from './conversation-counters.ts';
import { customerWords, planConversationEntries } from './conversation-entries.ts';
import { scheduleIdleCheck } from './new-conversation.ts';

export function conversationNotFound() {
  return notFound('Conversation');
}

export function findConversation(
  organizationId: string,
  conversationId: string,
): Promise<Conversation | undefined> {
  return get<Conversation>(keys.conversation(organizationId, conversationId));
}

/** @throws 404 if the organization does not have the conversation. */
export async function requireConversation(
  organizationId: string,
  conversationId: string,
): Promise<Conversation> {
  return requireFound(await findConversation(organizationId, conversationId), 'Conversation');
}

/** Returns the latest messages, oldest first. */
export async function listLatestMessages(
  organizationId: string,
  conversationId: string,
  limit: number,
): Promise<readonly Message[]> {
  const range = ranges.conversationMessages(organizationId, conversationId);
  const messages = await query<Message>(range, { newestFirst: true, limit });

  return messages.toReversed();
}

/** Fields that are counted or decide who may answer. A change requires that they are unchanged. */
const guarded = [
  'status',
  'controlVersion',
  'lastInboundAt',
  'lastInboundMessageId',
  'responseCount',
  'replyToken',
  'rating',
  'matchedCampaignId',
  'attribution',
  'keywordMatchedAt',
  'unansweredSince',
  'unreadCount',
  'handOverMailedAt',
  'assigneeId',
  'clickedAt',
] as const;

function asRead(conversation: Conversation): Condition {
  return allOf(
    ...guarded.map((field) => unchanged(field, conversation[field])),
    unchanged('customer.optedOutAt', conversation.customer.optedOutAt),
  );
}

/**
 * Writes that move a conversation to a new state and update its counters. They fail with a conflict
 * if the guarded fields have changed since they were read.
 */
export function planConversationChange(
  before: Conversation,
  after: Conversation,
): readonly Write[] {
  const key = keys.conversation(before.organizationId, before.id);

  return [
    change(key, {
      set: {
        ...changedFields(before, after),
        ...(after.customer === before.customer ? {} : { words: customerWords(after) }),
      },
      when: asRead(before),
      refused: (stored) =>
        stored ? new ConditionNotMetError(key, stored) : conversationNotFound(),
    }),
    ...planConversationCount(before, after),
    ...planConversationEntries(before, after),
  ];
}

/**
 * Plans to remove a conversation with its claim, counts and entries, unless it changed since it was
 * read. The next message of the customer begins a new one. What it contains stays in its partition.
 */
export function planConversationRemoval(conversation: Conversation): readonly Write[] {
  const { organizationId, id, accountId, channel, customer, assigneeId } = conversation;
  const { updatedAt, contactId } = conversation;

  return [
    remove(keys.conversation(organizationId, id), {
      when: allOf(
        asRead(conversation),
        unchanged('updatedAt', updatedAt),
        unchanged('contactId', contactId),
        unchanged('customer.name', customer.name),
      ),
    }),
    discard(keys.conversationClaim(organizationId, accountId, channel, customer.id)),
    ...(assigneeId ? [discard(keys.assignment(organizationId, assigneeId, id))] : []),
    ...planConversationCount(conversation, undefined),
    ...planConversationEntries(conversation, undefined),
  ];
}

/** Hands the conversation to people. Pending agent replies become obsolete. */
export function takenOver(conversation: Conversation): Conversation {
  return {
    ...conversation,
    controller: 'HUMAN',
    controlVersion: conversation.controlVersion + 1,
    status: 'PAUSED',
    stopReason: 'HUMAN_TAKEOVER',
    updatedAt: timestamp(),
  };
}

export function handedBack({
  stopReason: _,
  handedOverAt: __,
  ...conversation
}: Conversation): Conversation {
  const isUnattended = conversation.unansweredSince !== undefined && !conversation.replyToken;

  return {
    ...conversation,
    controller: 'BOT',
    controlVersion: conversation.controlVersion + 1,
    status: 'OPEN',
    ...(isUnattended ? { isUnattended } : {}),
    ...scheduleIdleCheck(),
    updatedAt: timestamp(),
  };
}

/** Closes the conversation and discards pending replies. The next message reopens it. */
export function closed(conversation: Conversation): Conversation {
  const { stopReason, replyToken, replyDueAt, duePk, dueAt, handOverMailedAt, ...rest } =
    answered(conversation);

  return {
    ...rest,
    controller: 'BOT',
    controlVersion: conversation.controlVersion + 1,
    status: 'CLOSED',
    updatedAt: timestamp(),
  };
}

function changeConversation(
  organizationId: string,
  conversationId: string,
  next: (conversation: Conversation) => Conversation,
  alongside: Alongside<Conversation>,
): Promise<Conversation> {
  return retryWhenOvertaken('conversation', async () => {
    const before = await requireConversation(organizationId, conversationId);
    const after = next(before);
    if (after !== before) {
      await write(...(await alongside(after)), ...planConversationChange(before, after));
    }

    return after;
  });
}

/** Pauses the agent so that it sends no more replies. @throws 404 */
export function pauseConversation(
  organizationId: string,
  conversationId: string,
  alongside: Alongside<Conversation>,
): Promise<Conversation> {
  return changeConversation(
    organizationId,
    conversationId,
    (conversation) =>
      conversation.controller === 'HUMAN' ? conversation : takenOver(conversation),
    alongside,
  );
}

/** Hands the conversation back to the agent and clears any stop reason. @throws 404 */
export function resumeConversation(
  organizationId: string,
  conversationId: string,
  alongside: Alongside<Conversation>,
): Promise<Conversation> {
  return changeConversation(
    organizationId,
    conversationId,
    (conversation) =>
      conversation.status === 'OPEN' && conversation.stopReason === undefined
        ? conversation
        : handedBack(conversation),
    alongside,
  );
}

export function planClosedEvent(conversation: Conversation): Promise<readonly Write[]> {
  return planOrganizationEvent(conversation.organizationId, {
    type: 'conversation.closed',
    data: { conversationId: conversation.id, conversation: presentConversation(conversation) },
  });
}

/** Closes the conversation until the customer writes again. @throws 404 */
export function closeConversation(
  organizationId: string,
  conversationId: string,
  alongside: Alongside<Conversation>,
): Promise<Conversation> {
  return changeConversation(
    organizationId,
    conversationId,
    (conversation) => (conversation.status === 'CLOSED' ? conversation : closed(conversation)),
    async (conversation) => [
      ...(await alongside(conversation)),
      ...(await planClosedEvent(conversation)),
    ],
  );
}

/**
 * Records or corrects the customer's rating. It counts for the agent and template that answered. A
 * corrected rating no longer counts for the previous ones.
 *
 * @throws 404
 */
export function rateConversation(
  organizationId: string,
  conversationId: string,
  rating: number,
  alongside: Alongside<Conversation>,
): Promise<Conversation> {
  return changeConversation(
    organizationId,
    conversationId,
    (conversation) => {
      if (conversation.rating === rating) {
        return conversation;
      }
      const { ratedFor: _, ...rest } = conversation;
      const ratedFor = answererOf(conversation);

      return { ...rest, rating, ...(ratedFor ? { ratedFor } : {}), updatedAt: timestamp() };
    },
    alongside,
  );
}

/** Marks all messages as read by a person. @throws 404 */
export function readConversation(
  organizationId: string,
  conversationId: string,
  alongside: Alongside<Conversation>,
): Promise<Conversation> {
  return changeConversation(
    organizationId,
    conversationId,
    (conversation) =>
      conversation.unreadCount || conversation.handOverMailedAt ? read(conversation) : conversation,
    alongside,
  );
}
