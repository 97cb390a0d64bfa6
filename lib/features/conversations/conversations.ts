import { timestamp } from '#lib/platform/clock.ts';
import { changedFields } from '#lib/platform/db/changes-something.ts';
import { allOf, type Condition, unchanged } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  change,
  discard,
  type ExtraWrites,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { type Conversation, type Message, presentConversation } from './conversation.ts';
import { planConversationCount } from './conversation-counters.ts';
import { customerWords, planConversationEntries } from './conversation-entries.ts';
import { scheduleIdleCheck } from './new-conversation.ts';
import { responderOf } from './responder-counts.ts';
import { answered, read } from './waiting.ts';

export function conversationNotFound() {
  return notFound('Conversation');
}

export function findConversation(
  organizationId: string,
  conversationId: string,
): Promise<Conversation | undefined> {
  return get<Conversation>(socialKeys.conversation(organizationId, conversationId));
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
  const range = socialRanges.conversationMessages(organizationId, conversationId);
  const messages = await query<Message>(range, { newestFirst: true, limit });

  return messages.toReversed();
}

/**
 * Fields that are counted, decide who may answer, or change together with a message. A change
 * requires that they are unchanged. So plans that are based on messages are based on their current
 * content, if the messages were read after the conversation.
 */
const guarded = [
  'status',
  'controlVersion',
  'lastInboundAt',
  'lastInboundMessageId',
  'responseCount',
  'replyToken',
  'rating',
  'campaignId',
  'attribution',
  'keywordMatchedAt',
  'unansweredSince',
  'unreadCount',
  'answers',
  'reads',
  'messageChanges',
  'handOverMailedAt',
  'unansweredReason',
  'reportedAtAnswers',
  'mailedTo',
  'assigneeId',
  'clickedAt',
] as const;

function asRead(conversation: Conversation): Condition {
  return allOf(
    ...guarded.map((field) => unchanged(field, conversation[field])),
    unchanged('customer.optedOutAt', conversation.customer.optedOutAt),
    unchanged('customer.name', conversation.customer.name),
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
  const key = socialKeys.conversation(before.organizationId, before.id);

  return [
    change(key, {
      set: {
        ...changedFields(before, after),
        ...(after.customer === before.customer ? {} : { words: customerWords(after) }),
      },
      when: asRead(before),
      onConditionFailed: (stored) =>
        stored ? new ConditionNotMetError(key, stored) : conversationNotFound(),
    }),
    ...planConversationCount(before, after),
    ...planConversationEntries(before, after),
  ];
}

/**
 * Plans to remove a conversation with its claim, counts and entries, unless it has changed since it
 * was read. The customer's next message begins a new one. The content stays in its partition.
 */
export function planConversationRemoval(conversation: Conversation): readonly Write[] {
  const { organizationId, id, socialAccountId, channel, customer, assigneeId } = conversation;
  const { updatedAt, leadContactId } = conversation;

  return [
    remove(socialKeys.conversation(organizationId, id), {
      when: allOf(
        asRead(conversation),
        unchanged('updatedAt', updatedAt),
        unchanged('leadContactId', leadContactId),
      ),
    }),
    discard(socialKeys.conversationClaim(organizationId, socialAccountId, channel, customer.id)),
    ...(assigneeId ? [discard(socialKeys.assignment(organizationId, assigneeId, id))] : []),
    ...planConversationCount(conversation, undefined),
    ...planConversationEntries(conversation, undefined),
  ];
}

/** Hands over the conversation to people. Pending agent replies become obsolete. */
export function takenOver({
  unansweredReason: _,
  isClosed: __,
  ...conversation
}: Conversation): Conversation {
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
  isClosed: ___,
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
  const { stopReason, replyToken, replyDueAt, duePk, dueAt, ...open } = answered(conversation);
  const { handOverMailedAt, mailedTo, ...rest } = open;

  return {
    ...rest,
    controller: 'BOT',
    controlVersion: conversation.controlVersion + 1,
    status: 'CLOSED',
    isClosed: true,
    updatedAt: timestamp(),
  };
}

function changeConversation(
  organizationId: string,
  conversationId: string,
  next: (conversation: Conversation) => Conversation,
  extraWrites: ExtraWrites<Conversation>,
): Promise<Conversation> {
  return retryWhenOvertaken('conversation', async () => {
    const before = await requireConversation(organizationId, conversationId);
    const after = next(before);
    if (after !== before) {
      await write(...(await extraWrites(after)), ...planConversationChange(before, after));
    }

    return after;
  });
}

/** Pauses the agent so that it sends no more replies. @throws 404 */
export function pauseConversation(
  organizationId: string,
  conversationId: string,
  extraWrites: ExtraWrites<Conversation>,
): Promise<Conversation> {
  return changeConversation(
    organizationId,
    conversationId,
    (conversation) =>
      conversation.controller === 'HUMAN' ? conversation : takenOver(conversation),
    extraWrites,
  );
}

/** Hands the conversation back to the agent and clears any stop reason. @throws 404 */
export function resumeConversation(
  organizationId: string,
  conversationId: string,
  extraWrites: ExtraWrites<Conversation>,
): Promise<Conversation> {
  return changeConversation(
    organizationId,
    conversationId,
    (conversation) =>
      conversation.status === 'OPEN' && conversation.stopReason === undefined
        ? conversation
        : handedBack(conversation),
    extraWrites,
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
  extraWrites: ExtraWrites<Conversation>,
): Promise<Conversation> {
  return changeConversation(
    organizationId,
    conversationId,
    (conversation) => (conversation.status === 'CLOSED' ? conversation : closed(conversation)),
    async (conversation) => [
      ...(await extraWrites(conversation)),
      ...(await planClosedEvent(conversation)),
    ],
  );
}

/**
 * Records or corrects the customer's rating. It counts for the agent and template that answered.
 * After a correction, it no longer counts for the previous ones.
 *
 * @throws 404
 */
export function rateConversation(
  organizationId: string,
  conversationId: string,
  rating: number,
  extraWrites: ExtraWrites<Conversation>,
): Promise<Conversation> {
  return changeConversation(
    organizationId,
    conversationId,
    (conversation) => {
      if (conversation.rating === rating) {
        return conversation;
      }
      const { ratedFor: _, ...rest } = conversation;
      const ratedFor = responderOf(conversation);

      return { ...rest, rating, ...(ratedFor ? { ratedFor } : {}), updatedAt: timestamp() };
    },
    extraWrites,
  );
}

function isToBeRead(conversation: Conversation): boolean {
  const { unreadCount, handOverMailedAt, mailedTo, unansweredReason } = conversation;

  return Boolean(unreadCount || handOverMailedAt || mailedTo || unansweredReason);
}

/** Marks all messages as read by a person. @throws 404 */
export function readConversation(
  organizationId: string,
  conversationId: string,
  extraWrites: ExtraWrites<Conversation>,
): Promise<Conversation> {
  return changeConversation(
    organizationId,
    conversationId,
    (conversation) => (isToBeRead(conversation) ? read(conversation) : conversation),
    extraWrites,
  );
}
