import type { Campaign } from '#lib/features/campaigns/campaign.ts';
import type {
  ClaimedAnswer,
  Conversation,
  FollowUpStart,
  Message,
} from '#lib/features/conversations/conversation.ts';
import { findConversation } from '#lib/features/conversations/conversations.ts';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, type Condition } from '#lib/platform/db/conditions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { AnswerKind } from './trace.ts';

type Answering = {
  readonly source: Conversation;
  readonly target: Conversation;
  readonly history: readonly Message[];
  readonly campaign: Campaign;
};

/**
 * Returns the follow-up that an answer starts: the private answer to a comment, or the first answer
 * to a private message. Only the first of them starts one.
 */
export function followUpStart(
  way: AnswerKind,
  { source, target, history, campaign }: Answering,
): FollowUpStart | undefined {
  const { channel } = source;
  const config = campaign.agentConfigs.find((known) => known.channel === channel);
  const starts = way === 'privateReply' || isFirstAnswer(source, history);
  if (!config?.followUp || !starts || target.channel !== 'DIRECT_MESSAGE' || target.followUpId) {
    return undefined;
  }
  const { lastInboundMessageId: sawUpTo } = target;

  return {
    channel,
    afterMinutes: config.followUp.afterMinutes,
    ...(sawUpTo === undefined ? {} : { sawUpTo }),
  };
}

/** Private answers to comments do not answer a message. */
function isFirstAnswer({ responseCount }: Conversation, history: readonly Message[]): boolean {
  const toComments = history.filter(
    ({ answer, status }) => answer?.ofConversationId !== undefined && status !== 'FAILED',
  );

  return responseCount <= toComments.length;
}

/**
 * Another change of the conversation in the same transaction, because a transaction can write an
 * item only once.
 */
export type ConversationChange = {
  readonly set: Readonly<Record<string, unknown>>;
  readonly when: Condition;
};

/** Plans the follow-up to an answer that was sent, unless the conversation has had one. */
export async function planFollowUp(
  { conversation, message }: ClaimedAnswer,
  also: ConversationChange | undefined,
): Promise<readonly Write[]> {
  const { organizationId, id: conversationId } = conversation;
  const key = socialKeys.conversation(organizationId, conversationId);
  const alone = also ? [change(key, also)] : [];
  const { followUp, campaignId } = message.answer;
  if (!followUp || !campaignId) {
    return alone;
  }
  const current = await findConversation(organizationId, conversationId);
  if (!current || current.followUpId) {
    return alone;
  }
  const { afterMinutes, ...start } = followUp;
  const followUpId = newId();
  const delayMs = afterMinutes * minuteMs;
  const payload = {
    organizationId,
    conversationId,
    messageId: message.id,
    followUpId,
    campaignId,
    ...start,
    dueAt: timestamp(delayMs),
  };

  return [
    change(key, {
      set: { ...also?.set, followUpId },
      when: allOf(absent('followUpId'), ...(also ? [also.when] : [])),
    }),
    planWork('reply', { owner: key, payload, workId: followUpId, delayMs }),
  ];
}
