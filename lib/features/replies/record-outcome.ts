import { planUsageCount, type Usage } from '#lib/features/ai/usage.ts';
import {
  NoReservationError,
  planCreditRelease,
  planCreditUse,
} from '#lib/features/billing/ledger/credit-reservations.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { findCampaign } from '#lib/features/campaigns/campaign.ts';
import { planCampaignEvent } from '#lib/features/campaigns/campaign-events.ts';
import { planActivity } from '#lib/features/leads/activities.ts';
import type {
  AgentAnswer,
  Conversation,
  Message,
} from '#lib/features/social/conversations/conversation.ts';
import { findConversation } from '#lib/features/social/conversations/conversations.ts';
import {
  lostOutcome,
  recordMessageNotSent,
  recordMessageSent,
} from '#lib/features/social/conversations/message-outcome.ts';
import { cutToLength } from '#lib/platform/characters.ts';
import { now, timestamp } from '#lib/platform/clock.ts';
import { unchanged } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, ensure, type Write } from '#lib/platform/db/write.ts';
import { type ConversationChange, planFollowUp } from './follow-up.ts';
import { planTraced, type TracedAnswer, type Way } from './trace.ts';

const maxDescription = 500;

/** A claimed reply with its conversation. Its account may have been disconnected. */
export type ClaimedReply = {
  readonly conversation: Conversation;
  readonly message: Message & { readonly answer: AgentAnswer };
};

/**
 * Records that the reply was sent. Also charges the credit, adds the lead's activity, updates the
 * metrics and notifies the campaign's receiver. Idempotent.
 */
export function recordReplySent(reply: ClaimedReply, networkMessageId: string): Promise<void> {
  const { organizationId, id } = reply.conversation;
  let known: Conversation | undefined = reply.conversation;

  return retryWhenOvertaken('reply', async () => {
    const conversation = known ?? (await findConversation(organizationId, id));
    known = undefined;
    await tryRecordSent(reply, networkMessageId, assignmentOf(conversation, reply.message));
  });
}

async function tryRecordSent(
  reply: ClaimedReply,
  networkMessageId: string,
  assignment: ConversationChange | undefined,
): Promise<void> {
  const { conversation, message } = reply;
  const { organizationId, accountId: id, platform, channel } = conversation;
  const { campaignId, leadId } = message.answer;
  const event = await planSentEvent(conversation, message, campaignId);
  const alongside = [
    ...planCreditUse(organizationId, message.id),
    ...(await planSentActivity(conversation, message, leadId)),
    ...planUsageCounts(reply, assignment !== undefined),
    planOutcome(reply, { outcome: message.answer.isHandOver ? 'HANDED_OVER' : 'SENT' }),
    ...event,
    ...(await planFollowUp(reply, assignment)),
  ];
  try {
    const account = { organizationId, id, platform };
    await recordMessageSent(account, message, channel, networkMessageId, alongside);
  } catch (failure) {
    if (!(failure instanceof NoReservationError)) {
      throw failure;
    }
    // The process that recorded it may have crashed before it checked the balance.
    await refillWhenLow(organizationId);

    return;
  }
  await refillWhenLow(organizationId);
}

/** Records that the reply was not sent. Releases its credit and does not count the reply. */
export async function recordReplyFailed(
  reply: ClaimedReply,
  failureReason: string,
  stopped: Pick<TracedAnswer, 'outcome' | 'stopReason'> = { outcome: 'FAILED' },
): Promise<void> {
  const { conversation, message } = reply;
  const { organizationId, id } = conversation;
  const { unansweredSince, ofConversationId } = message.answer;
  const uncounted = change(keys.conversation(organizationId, id), {
    add: { responseCount: -1 },
    // Nobody answered, so the customer still waits.
    set: unansweredSince && !ofConversationId ? { unansweredSince, isUnattended: true } : {},
  });
  await recordNotSent(reply, 'FAILED', failureReason, [
    uncounted,
    planOutcome(reply, { ...stopped, detail: failureReason }),
  ]);
}

/** Records an unknown outcome: the reply is not charged and never sent again. */
export async function recordReplyUnknown(reply: ClaimedReply): Promise<void> {
  await recordNotSent(reply, 'UNKNOWN', lostOutcome, [
    planOutcome(reply, { outcome: 'UNKNOWN', detail: lostOutcome }),
  ]);
}

async function recordNotSent(
  { conversation: { organizationId }, message }: ClaimedReply,
  status: 'FAILED' | 'UNKNOWN',
  failureReason: string,
  others: readonly Write[],
): Promise<void> {
  const released = planCreditRelease(organizationId, message.id);
  try {
    await recordMessageNotSent(organizationId, message, status, failureReason, [
      ...released,
      ...others,
    ]);
  } catch (failure) {
    if (!(failure instanceof NoReservationError)) {
      throw failure;
    }
  }
}

/** Plans what follows a person's reply: the notification, the lead's activity and the metrics. */
export async function planSentByPerson(
  conversation: Conversation,
  message: Message,
): Promise<readonly Write[]> {
  const { organizationId, matchedCampaignId, leadId } = conversation;
  const [campaign, event, activity] = await Promise.all([
    matchedCampaignId ? findCampaign(organizationId, matchedCampaignId) : undefined,
    planSentEvent(conversation, message, matchedCampaignId),
    planSentActivity(conversation, message, leadId),
  ]);
  const counted = campaign
    ? [planUsageCount(organizationId, 'CAMPAIGN', campaign.id, { interactions: 1 })]
    : [];

  return [...event, ...activity, ...counted];
}

function planSentEvent(
  { organizationId, channel, customer }: Conversation,
  { id: messageId, conversationId, author, text }: Message,
  campaignId: string | undefined,
): Promise<readonly Write[]> {
  const data = { channel, conversationId, messageId, author, customer, text, sentAt: timestamp() };

  return campaignId
    ? planCampaignEvent(organizationId, campaignId, { type: 'message.sent', data })
    : Promise.resolve([]);
}

/** Adds a sent message to the lead's activities. A deleted lead gets none. */
async function planSentActivity(
  { organizationId, channel }: Conversation,
  { id, text, author }: Message,
  leadId: string | undefined,
): Promise<readonly Write[]> {
  const lead = leadId ? await get(keys.lead(organizationId, leadId)) : undefined;

  return lead && leadId
    ? [
        ensure(lead),
        planActivity(organizationId, {
          id,
          leadId,
          type: 'MESSAGE_SENT',
          description: cutToLength(text, maxDescription),
          metadata: { messageId: id, channel, author },
          createdAt: timestamp(),
        }),
      ]
    : [];
}

/**
 * Returns the change that remembers that an interactive template answered in the conversation.
 * `undefined` if it did before. So each conversation counts once for each variant of an A/B test.
 */
function assignmentOf(
  conversation: Conversation | undefined,
  { answer: { template } }: ClaimedReply['message'],
): ConversationChange | undefined {
  const { answeredWith } = conversation ?? {};
  if (
    !conversation ||
    template?.kind !== 'INTERACTIVE_TEMPLATE' ||
    answeredWith?.includes(template.id) === true
  ) {
    return undefined;
  }

  return {
    set: { answeredWith: [...(answeredWith ?? []), template.id] },
    when: unchanged('answeredWith', answeredWith),
  };
}

/** The response time starts at the answered message. A follow-up answers none. */
function planUsageCounts(
  { conversation, message }: ClaimedReply,
  isAssigned: boolean,
): readonly Write[] {
  const { organizationId } = conversation;
  const { answeredAt, agentId, campaignId, template, isFirst, followsUp } = message.answer;
  if (followsUp && campaignId) {
    return [planUsageCount(organizationId, 'CAMPAIGN', campaignId, { interactions: 1 })];
  }
  const amounts: Usage = {
    uses: 1,
    responseMs: Math.max(0, now() - Date.parse(answeredAt)),
    ...(isFirst ? { conversations: 1 } : {}),
  };

  const { conversations: _, ...others } = amounts;
  const ofTemplate =
    template?.kind === 'TEMPLATE'
      ? amounts
      : { ...others, ...(isAssigned ? { conversations: 1 } : {}) };

  return [
    ...(template ? [planUsageCount(organizationId, template.kind, template.id, ofTemplate)] : []),
    ...(agentId ? [planUsageCount(organizationId, 'AGENT', agentId, amounts)] : []),
    ...(campaignId
      ? [planUsageCount(organizationId, 'CAMPAIGN', campaignId, { ...amounts, interactions: 1 })]
      : []),
  ];
}

function wayOf({ followsUp, ofConversationId }: AgentAnswer): Way {
  if (followsUp) {
    return 'followUp';
  }

  return ofConversationId ? 'privateReply' : 'reply';
}

function planOutcome(
  { conversation, message }: ClaimedReply,
  outcome: Pick<TracedAnswer, 'outcome' | 'stopReason' | 'detail'>,
): Write {
  const { organizationId } = conversation;
  const { answer, confidence, id: replyId } = message;
  const way = wayOf(answer);
  const conversationId = answer.ofConversationId ?? conversation.id;

  return planTraced(keys.replyTrace(organizationId, conversationId, answer.answeredId), way, {
    ...outcome,
    ...(answer.campaignId ? { campaignId: answer.campaignId } : {}),
    ...(answer.agentId ? { agentId: answer.agentId } : {}),
    ...(answer.template ? { templateId: answer.template.id } : {}),
    replyId,
    ...answer.usage,
    ...(confidence === undefined ? {} : { confidence }),
  });
}
