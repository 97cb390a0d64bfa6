import { readAgents } from '#lib/features/ai/agents.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { CreditsExhaustedError } from '#lib/features/billing/ledger/credit-reservations.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { type FollowUp, findCampaign } from '#lib/features/campaigns/campaign.ts';
import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { Conversation, Message } from '#lib/features/social/conversations/conversation.ts';
import { findConversation } from '#lib/features/social/conversations/conversations.ts';
import { MessageAlreadyRecordedError } from '#lib/features/social/conversations/messages.ts';
import { findOptOut } from '#lib/features/social/conversations/opt-out.ts';
import { now } from '#lib/platform/clock.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { ConditionNotMetError, write } from '#lib/platform/db/write.ts';
import { isExhausted } from '#lib/platform/rate-limits/rate-limiter.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import { cutText } from '#lib/vendors/networks/cut-text.ts';
import type { ReadonlyDeep } from '#schemas/contract.ts';
import type { StopReason } from '#schemas/conversations.ts';
import type { PlannedFollowUp } from '#schemas/work-payloads.ts';
import {
  type ClaimedScene,
  type ClaimedWork,
  claimReply,
  ReplyStoppedError,
} from './claim-reply.ts';
import { deliverReply } from './deliver-reply.ts';
import { findClaimed, finishClaimed } from './finish-claimed.ts';
import type { ClaimedReply } from './record-outcome.ts';
import { answererOfCampaign, stopReasonOf } from './reply-scene.ts';
import { planTraced, type TracedAnswer } from './trace.ts';

type FollowUpWork = ReadonlyDeep<PlannedFollowUp>;

/**
 * Sends the follow-up to an answer, unless the customer did what ends it, or something prevents an
 * answer now. Then it is dropped. Idempotent after a crash at any point, and nothing is sent twice.
 */
export async function sendFollowUp(key: Key, planned: FollowUpWork): Promise<WorkOutcome> {
  const { organizationId, conversationId, messageId, followUpId: replyId } = planned;
  const againInMs = Date.parse(planned.dueAt) - now();
  if (againInMs > 0) {
    return { againInMs };
  }
  const claimed = await findClaimed({ ...planned, replyId, way: 'followUp' });
  if (claimed) {
    return finishClaimed(claimed, key);
  }
  const [conversation, followed] = await Promise.all([
    findConversation(organizationId, conversationId),
    get<Message>(keys.conversationMessage(organizationId, conversationId, messageId)),
  ]);
  if (!conversation || !followed?.answer) {
    return 'done';
  }
  const found = { conversation, message: { ...followed, answer: followed.answer } };
  const work = claimedWorkOf(planned, found);
  const scene = await readFollowUpScene(planned, found);
  if (!scene) {
    const detail = 'Something the follow-up depends on was deleted';

    return drop(work, { outcome: 'NOBODY', detail });
  }
  const detail = endedBy(planned, conversation, scene.config);
  if (detail) {
    return drop(work, { outcome: 'SUPERSEDED', detail });
  }

  return scene.stopReason ? stop(work, scene.stopReason) : claimAndDeliver(work, scene, key);
}

/** Follow-ups are traced with the customer's message that was answered. */
function claimedWorkOf(
  { organizationId, followUpId, campaignId }: FollowUpWork,
  { conversation, message: { answer } }: ClaimedReply,
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

type FollowUpScene = ClaimedScene & {
  readonly config: FollowUp;
  readonly stopReason: StopReason | undefined;
};

/** Reads the current state; `undefined` if the campaign no longer has the follow-up. */
async function readFollowUpScene(
  { organizationId, campaignId, channel }: FollowUpWork,
  { conversation, message }: ClaimedReply,
): Promise<FollowUpScene | undefined> {
  const { accountId } = conversation;
  const [campaign, agents, account, balance, subscription, isRateLimited, optOut] =
    await Promise.all([
      findCampaign(organizationId, campaignId),
      readAgents(organizationId),
      findSocialAccount(organizationId, accountId),
      get<Balance>(keys.balance(organizationId)),
      get<{ repliesPaused?: boolean }>(keys.subscription(organizationId)),
      isExhausted('aiReplies', accountId),
      findOptOut(conversation),
    ]);
  const config = campaign?.agentConfigs.find((known) => known.channel === channel)?.followUp;
  const answerer = campaign && answererOfCampaign(campaign, channel, agents);
  if (!config || !answerer || !account) {
    return undefined;
  }
  const { answeredId: id, answeredAt: createdAt } = message.answer;
  const stopReason = stopReasonOf(answerer, {
    conversation,
    account,
    isPaused: subscription?.repliesPaused === true,
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
    answerer,
    answered: { id, createdAt },
    followed: message,
    config,
    stopReason,
  };
}

/** Returns what ended the follow-up. */
function endedBy(
  { sawUpTo }: FollowUpWork,
  { status, lastInboundMessageId, clickedAt }: Conversation,
  { unless }: FollowUp,
): string | undefined {
  const ends: ReadonlyArray<readonly [boolean, string]> = [
    [status === 'CLOSED', 'The conversation was closed'],
    [unless === 'CLICKED' && clickedAt !== undefined, 'The customer has clicked'],
    [unless === 'REPLIED' && lastInboundMessageId !== sawUpTo, 'The customer has replied'],
  ];

  return ends.find(([holds]) => holds)?.[1];
}

async function claimAndDeliver(
  work: ClaimedWork,
  scene: FollowUpScene,
  workKey: Key,
): Promise<WorkOutcome> {
  const { account, answerer, config, target } = scene;
  const { campaignId, replyId } = work;
  const { agentId } = answerer;
  const traced: TracedAnswer = {
    outcome: 'PLANNED',
    ...(campaignId ? { campaignId } : {}),
    ...(agentId ? { agentId } : {}),
    replyId,
  };
  const text = cutText(target.platform, target.channel, config.text);
  const usage = { promptTokens: 0, completionTokens: 0 };
  try {
    const { message, conversation } = await claimReply(
      work,
      scene,
      { text, isHandOver: false, usage },
      traced,
    );
    const { answer } = message;
    if (!answer) {
      return 'done';
    }

    return await deliverReply(
      { account, reply: { conversation, message: { ...message, answer } } },
      workKey,
    );
  } catch (failure) {
    return handleClaimFailure(work, failure);
  }
}

function handleClaimFailure(
  work: ClaimedWork,
  failure: unknown,
): Promise<WorkOutcome> | WorkOutcome {
  if (failure instanceof ReplyStoppedError) {
    return stop(work, failure.reason);
  }
  if (failure instanceof CreditsExhaustedError) {
    return stop(work, 'NO_CREDITS');
  }
  // A concurrent change may have ended the follow-up. Check again.
  if (failure instanceof ConditionNotMetError || failure instanceof MessageAlreadyRecordedError) {
    return 'unfinished';
  }
  throw failure;
}

async function stop(work: ClaimedWork, stopReason: StopReason): Promise<'done'> {
  await drop(work, { outcome: 'STOPPED', stopReason });
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
  const key = keys.replyTrace(organizationId, conversationId, messageId);
  await write(planTraced(key, 'followUp', { replyId, ...traced }));

  return 'done';
}
