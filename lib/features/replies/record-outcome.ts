import { type AnswerCounts, planAnswerCounts } from '#lib/features/ai/answer-counts.ts';
import {
  NoReservationError,
  planCreditRelease,
  planCreditUse,
} from '#lib/features/billing/ledger/credit-reservations.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { findCampaign } from '#lib/features/campaigns/campaign.ts';
import { planCampaignEvent } from '#lib/features/campaigns/campaign-events.ts';
import type {
  AgentAnswer,
  ClaimedAnswer,
  Conversation,
  Message,
} from '#lib/features/conversations/conversation.ts';
import {
  findConversation,
  planConversationChange,
} from '#lib/features/conversations/conversations.ts';
import { findUnansweredSince } from '#lib/features/conversations/messages/message-changes.ts';
import {
  lostOutcome,
  recordMessageNotSent,
  recordMessageSent,
} from '#lib/features/conversations/outbound/message-outcome.ts';
import { planMessageActivity } from '#lib/features/leads/activities.ts';
import { now, timestamp } from '#lib/platform/clock.ts';
import { unchanged } from '#lib/platform/db/conditions.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, ensure, type Write } from '#lib/platform/db/write.ts';
import { type ConversationChange, planFollowUp } from './follow-up.ts';
import { type NoReplyCause, planNoReply } from './no-reply.ts';
import { type AnswerKind, planTraced, type TracedAnswer } from './trace.ts';

/**
 * Records that the reply was sent. Also charges the credit, adds the lead's activity, updates the
 * metrics and notifies the campaign's receiver. Idempotent.
 */
export function recordReplySent(reply: ClaimedAnswer, networkMessageId: string): Promise<void> {
  const { organizationId, id } = reply.conversation;
  let known: Conversation | undefined = reply.conversation;

  return retryWhenOvertaken('reply', async () => {
    const conversation = known ?? (await findConversation(organizationId, id));
    known = undefined;
    await tryRecordSent(reply, networkMessageId, assignmentOf(conversation, reply.message));
  });
}

async function tryRecordSent(
  reply: ClaimedAnswer,
  networkMessageId: string,
  assignment: ConversationChange | undefined,
): Promise<void> {
  const { conversation, message } = reply;
  const { organizationId, socialAccountId: id, platform, channel } = conversation;
  const { campaignId, leadId } = message.answer;
  const event = await planSentEvent(conversation, message, campaignId);
  const extraWrites = [
    ...planCreditUse(organizationId, message.id),
    ...(await planSentActivity(conversation, message, leadId)),
    ...planCountsOfReply(reply, assignment !== undefined),
    planOutcome(reply, { outcome: message.answer.isHandOver ? 'HANDED_OVER' : 'SENT' }),
    ...event,
    ...(await planFollowUp(reply, assignment)),
  ];
  try {
    const account = { organizationId, id, platform };
    await recordMessageSent(account, message, channel, networkMessageId, extraWrites);
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
  reply: ClaimedAnswer,
  failureReason: string,
  stopped: Pick<TracedAnswer, 'outcome' | 'stopReason'> = { outcome: 'FAILED' },
): Promise<void> {
  const { stopReason: cause = 'REPLY_FAILED' } = stopped;
  await retryWhenOvertaken('conversation', async () => {
    await recordNotSent(reply, 'FAILED', failureReason, [
      ...(await planUncounted(reply, cause)),
      planOutcome(reply, { ...stopped, detail: failureReason }),
    ]);
  });
}

/** Nobody answered, so the customer waits again, unless somebody has answered since. */
async function planUncounted(
  { conversation, message }: ClaimedAnswer,
  cause: NoReplyCause,
): Promise<readonly Write[]> {
  const { organizationId, id } = conversation;
  const { unansweredSince, answers = 0, ofConversationId } = message.answer;
  const uncounted = [
    change(socialKeys.conversation(organizationId, id), { add: { responseCount: -1 } }),
  ];
  if (!unansweredSince || ofConversationId) {
    return uncounted;
  }
  const current = await findConversation(organizationId, id);
  if (current?.answers !== answers + 1) {
    return uncounted;
  }
  const before = { ...current, answers };
  const since = await findUnansweredSince(before, Date.parse(unansweredSince));
  if (!since) {
    return uncounted;
  }
  const responseCount = current.responseCount - 1;
  const waiting = { ...before, unansweredSince: since, responseCount };
  const { conversation: after, writes } = await planNoReply(waiting, cause);

  return [...planConversationChange(current, after), ...writes];
}

/** Records an unknown outcome. The reply is not charged and never sent again. */
export async function recordReplyUnknown(reply: ClaimedAnswer): Promise<void> {
  await recordNotSent(reply, 'UNKNOWN', lostOutcome, [
    planOutcome(reply, { outcome: 'UNKNOWN', detail: lostOutcome }),
  ]);
}

async function recordNotSent(
  { conversation: { organizationId }, message }: ClaimedAnswer,
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

/** Plans the effects of a person's reply: the notification, the lead's activity and the metrics. */
export async function planSentByPerson(
  conversation: Conversation,
  message: Message,
): Promise<readonly Write[]> {
  const { organizationId, campaignId, leadId } = conversation;
  const [campaign, event, activity] = await Promise.all([
    campaignId ? findCampaign(organizationId, campaignId) : undefined,
    planSentEvent(conversation, message, campaignId),
    planSentActivity(conversation, message, leadId),
  ]);
  const counted = campaign
    ? [planAnswerCounts(organizationId, 'CAMPAIGN', campaign.id, { interactions: 1 })]
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
  conversation: Conversation,
  message: Message,
  leadId: string | undefined,
): Promise<readonly Write[]> {
  const { organizationId } = conversation;
  const lead = leadId ? await get(leadKeys.lead(organizationId, leadId)) : undefined;

  return lead && leadId
    ? [ensure(lead), planMessageActivity(organizationId, leadId, message, conversation)]
    : [];
}

/**
 * Returns the change that records that an interactive template answered in the conversation.
 * `undefined` if it already did. So each conversation counts once for each variant of an A/B test.
 */
function assignmentOf(
  conversation: Conversation | undefined,
  { answer: { template } }: ClaimedAnswer['message'],
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

/** The response time starts at the answered message. A follow-up has none. */
function planCountsOfReply(
  { conversation, message }: ClaimedAnswer,
  isAssigned: boolean,
): readonly Write[] {
  const { organizationId } = conversation;
  const { answeredAt, agentId, campaignId, template, isFirst, followsUp } = message.answer;
  if (followsUp && campaignId) {
    return [planAnswerCounts(organizationId, 'CAMPAIGN', campaignId, { interactions: 1 })];
  }
  const amounts: AnswerCounts = {
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
    ...(template ? [planAnswerCounts(organizationId, template.kind, template.id, ofTemplate)] : []),
    ...(agentId ? [planAnswerCounts(organizationId, 'AGENT', agentId, amounts)] : []),
    ...(campaignId
      ? [planAnswerCounts(organizationId, 'CAMPAIGN', campaignId, { ...amounts, interactions: 1 })]
      : []),
  ];
}

function wayOf({ followsUp, ofConversationId }: AgentAnswer): AnswerKind {
  if (followsUp) {
    return 'followUp';
  }

  return ofConversationId ? 'privateReply' : 'reply';
}

function planOutcome(
  { conversation, message }: ClaimedAnswer,
  outcome: Pick<TracedAnswer, 'outcome' | 'stopReason' | 'detail'>,
): Write {
  const { organizationId } = conversation;
  const { answer, confidence, id: replyId } = message;
  const way = wayOf(answer);
  const conversationId = answer.ofConversationId ?? conversation.id;

  return planTraced(socialKeys.replyTrace(organizationId, conversationId, answer.answeredId), way, {
    ...outcome,
    ...(answer.campaignId ? { campaignId: answer.campaignId } : {}),
    ...(answer.agentId ? { agentId: answer.agentId } : {}),
    ...(answer.template ? { templateId: answer.template.id } : {}),
    replyId,
    ...answer.usage,
    ...(confidence === undefined ? {} : { confidence }),
  });
}
