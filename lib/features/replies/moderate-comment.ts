import type { ModerationRule } from '#lib/features/campaigns/moderation-rules.ts';
import {
  type Conversation,
  isAnswerable,
  type Message,
} from '#lib/features/conversations/conversation.ts';
import { listLatestMessages } from '#lib/features/conversations/conversations.ts';
import { withoutWaiting } from '#lib/features/conversations/messages/message-changes.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent, allOf } from '#lib/platform/db/conditions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { Moderation, TracedAnswer, TraceEntry } from './trace.ts';

const messagesChecked = 20;
const stopReason = 'MODERATED';

/** Plans to hide a comment that a moderation rule matched, if the network supports it. */
export function planModeration(
  { organizationId, platform }: Conversation,
  { id: messageId, conversationId, isHidden }: Message,
  { id, name }: ModerationRule,
): readonly Write[] {
  const isPlanned = capabilities[platform].supports.hideComment && !isHidden;
  const pendingAction = { action: 'hide', since: timestamp(), isByRule: true } as const;
  const hide = planWork('messageOutcome', {
    owner: socialKeys.conversation(organizationId, conversationId),
    payload: { organizationId, conversationId, messageId, action: 'hide' },
  });

  return [
    change(socialKeys.conversationMessage(organizationId, conversationId, messageId), {
      set: { moderationRule: { id, name }, ...(isPlanned ? { pendingAction } : {}) },
      when: allOf(absent('deletedAt'), absent('pendingAction')),
    }),
    ...(isPlanned ? [hide] : []),
  ];
}

/** The trace of a comment that is not answered because of the rule. */
export function tracedModeration(
  { platform }: Conversation,
  { isHidden }: Message,
  { id, name }: ModerationRule,
): Pick<TraceEntry, 'reply' | 'moderationRule' | 'moderation'> {
  const reply: TracedAnswer = {
    outcome: 'STOPPED',
    stopReason,
    detail: `The moderation rule "${name}" matched the comment`,
  };
  const planned: Moderation = isHidden ? 'HIDDEN' : 'PLANNED';
  const moderation = capabilities[platform].supports.hideComment ? planned : 'NOT_SUPPORTED';

  return { reply, moderationRule: { id, name }, moderation };
}

/**
 * Returns the conversation after a comment that is not answered. A hidden comment does not wait for
 * an answer. A comment that the network cannot hide waits for people.
 */
export async function withoutAnswer(
  conversation: Conversation,
  message: Message,
): Promise<Conversation> {
  const { controller, platform } = conversation;
  if (controller === 'HUMAN') {
    return conversation;
  }
  if (!capabilities[platform].supports.hideComment) {
    return { ...conversation, isUnattended: true, stopReason };
  }

  return { ...(await withoutWaiting(conversation, [message])), stopReason };
}

/**
 * Finds the customer's earlier message whose reply this one interrupts. Every new message makes a
 * planned reply obsolete, and is answered together with the earlier messages.
 */
export async function findInterrupted(
  { organizationId, id: conversationId, controller }: Conversation,
  { id: messageId }: Message,
): Promise<Message | undefined> {
  if (controller === 'HUMAN') {
    return undefined;
  }
  const latest = await listLatestMessages(organizationId, conversationId, messagesChecked);
  const earlier = latest.filter((message) => message.id < messageId);
  const lastAnswer = earlier.findLastIndex(({ direction }) => direction === 'OUT');
  const waiting = earlier.slice(lastAnswer + 1).findLast(isAnswerable);
  const entry =
    waiting &&
    (await get<TraceEntry>(socialKeys.replyTrace(organizationId, conversationId, waiting.id)));
  const outcome = entry?.reply?.outcome;

  return outcome === 'PLANNED' || outcome === 'SUPERSEDED' ? waiting : undefined;
}
