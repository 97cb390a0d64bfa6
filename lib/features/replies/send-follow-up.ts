import { readAgents } from '#lib/features/ai/agent.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { type FollowUp, findCampaign } from '#lib/features/campaigns/campaign.ts';
import {
  type ClaimedAnswer,
  type Conversation,
  isShown,
  type Message,
} from '#lib/features/conversations/conversation.ts';
import { findConversation } from '#lib/features/conversations/conversations.ts';
import { findOptOut } from '#lib/features/conversations/inbound/opt-out.ts';
import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { now } from '#lib/platform/clock.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { write } from '#lib/platform/db/write.ts';
import { isSuspended } from '#lib/platform/identity/identity.ts';
import { isExhausted } from '#lib/platform/rate-limits/rate-limiter.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import { cutText } from '#lib/vendors/networks/cut-text.ts';
import type { ReadonlyDeep } from '#schemas/contract.ts';
import type { StopReason } from '#schemas/conversation-reasons.ts';
import type { PlannedFollowUp } from '#schemas/work-payloads.ts';
import type { ClaimedContext, ClaimedWork } from './claim-answer.ts';
import { responderOfCampaign, stopReasonOf } from './reply-context.ts';
import { finishClaimed, sendAnswer } from './send-answer.ts';
import { messageGone, planTraced, type TracedAnswer } from './trace.ts';

type FollowUpWork = ReadonlyDeep<PlannedFollowUp>;

/**
 * Sends the follow-up to an answer. Drops it if the customer did something that ends it, or
 * something prevents an answer now. Idempotent after a crash at any point, and nothing is sent
 * twice.
 */
export async function sendFollowUp(key: Key, planned: FollowUpWork): Promise<WorkOutcome> {
  const { organizationId, conversationId, messageId, followUpId: replyId } = planned;
  const againInMs = Date.parse(planned.dueAt) - now();
  if (againInMs > 0) {
    return { againInMs };
  }
  const finished = await finishClaimed({ ...planned, replyId, way: 'followUp' }, key);
  if (finished) {
    return finished;
  }
  const [conversation, followed] = await Promise.all([
    findConversation(organizationId, conversationId),
    get<Message>(socialKeys.conversationMessage(organizationId, conversationId, messageId)),
  ]);
  if (!conversation || !followed?.answer) {
    return 'done';
  }
  const found = { conversation, message: { ...followed, answer: followed.answer } };
  const work = claimedWorkOf(planned, found);
  const context = await readFollowUpContext(planned, found);
  if (!context) {
    const detail = 'Something the follow-up depends on was deleted';

    return drop(work, { outcome: 'NOBODY', detail });
  }
  const detail = endedBy(planned, conversation, context);
  if (detail) {
    return drop(work, { outcome: 'SUPERSEDED', detail });
  }

  if (context.stopReason) {
    return stop(work, context.stopReason);
  }
  const { target, config } = context;
  const answer = { text: cutText(target.platform, target.channel, config.text) };
  const onStopped = (reason: StopReason | undefined) => stop(work, reason);

  return sendAnswer({ work, context, answer, onStopped }, key);
}

/** Follow-ups are traced with the customer's message that was answered. */
function claimedWorkOf(
  { organizationId, followUpId, campaignId }: FollowUpWork,
  { conversation, message: { answer } }: ClaimedAnswer,
): ClaimedWork {
  return {
    organizationId,
    conversationId: answer.ofConversationId ?? conversation.id,
    messageId: answer.answeredId,
    replyId: followUpId,
    way: 'followUp',
    campaignId,
  };
}

type FollowUpContext = ClaimedContext & {
  readonly config: FollowUp;
  /** The message whose answer is followed up. Undefined if it was removed. */
  readonly asked: Message | undefined;
  readonly stopReason: StopReason | undefined;
};

/** Reads the current state. `undefined` if the campaign no longer has the follow-up. */
async function readFollowUpContext(
  { organizationId, campaignId, channel }: FollowUpWork,
  { conversation, message }: ClaimedAnswer,
): Promise<FollowUpContext | undefined> {
  const { socialAccountId } = conversation;
  const { answeredId: id, answeredAt: createdAt, ofConversationId } = message.answer;
  const askedIn = ofConversationId ?? conversation.id;
  const [
    campaign,
    agents,
    account,
    balance,
    subscription,
    isRateLimited,
    optOut,
    asked,
    suspended,
  ] = await Promise.all([
    findCampaign(organizationId, campaignId),
    readAgents(organizationId),
    findSocialAccount(organizationId, socialAccountId),
    get<Balance>(billingKeys.balance(organizationId)),
    get<{ repliesPaused?: boolean }>(billingKeys.subscription(organizationId)),
    isExhausted('aiReplies', socialAccountId),
    findOptOut(conversation),
    get<Message>(socialKeys.conversationMessage(organizationId, askedIn, id)),
    isSuspended(organizationId),
  ]);
  const config = campaign?.agentConfigs.find((known) => known.channel === channel)?.followUp;
  const responder = campaign && responderOfCampaign(campaign, channel, agents);
  if (!config || !responder || !account) {
    return undefined;
  }
  const stopReason = stopReasonOf(responder, {
    conversation,
    account,
    isPaused: subscription?.repliesPaused === true,
    isSuspended: suspended,
    creditsAvailable: balance?.available ?? 0,
    isRateLimited,
    isOptedOut: optOut !== undefined,
    hasRoom: true,
  });

  return {
    account,
    source: conversation,
    target: conversation,
    isNewTarget: false,
    responder,
    answered: { id, createdAt },
    followed: message,
    config,
    asked,
    stopReason,
  };
}

/** Returns the reason why the follow-up ended. */
function endedBy(
  { sawUpTo }: FollowUpWork,
  { status, lastInboundMessageId, clickedAt }: Conversation,
  { config: { unless }, asked }: FollowUpContext,
): string | undefined {
  const ends: ReadonlyArray<readonly [boolean, string]> = [
    [!asked || !isShown(asked), messageGone],
    [status === 'CLOSED', 'The conversation was closed'],
    [unless === 'CLICKED' && clickedAt !== undefined, 'The customer has clicked'],
    [unless === 'REPLIED' && lastInboundMessageId !== sawUpTo, 'The customer has replied'],
  ];

  return ends.find(([holds]) => holds)?.[1];
}

async function stop(work: ClaimedWork, stopReason: StopReason | undefined): Promise<'done'> {
  await drop(work, stopReason ? { outcome: 'STOPPED', stopReason } : { outcome: 'SUPERSEDED' });
  if (stopReason === 'NO_CREDITS') {
    await refillWhenLow(work.organizationId);
  }

  return 'done';
}

/** Ends the work without a message. The conversation keeps its stop reason. */
async function drop(
  { organizationId, conversationId, messageId, replyId }: ClaimedWork,
  traced: TracedAnswer,
): Promise<'done'> {
  const key = socialKeys.replyTrace(organizationId, conversationId, messageId);
  await write(planTraced(key, 'followUp', { replyId, ...traced }));

  return 'done';
}
