import { planCreditReservation } from '#lib/features/billing/ledger/credit-reservations.ts';
import type { PlannedButtons } from '#lib/features/personal-links/personal-links.ts';
import { answered, withLastMessage } from '#lib/features/social/conversations/attention.ts';
import type {
  AgentAnswer,
  Conversation,
  Message,
} from '#lib/features/social/conversations/conversation.ts';
import {
  planConversationChange,
  takenOver,
} from '#lib/features/social/conversations/conversations.ts';
import { planMessage } from '#lib/features/social/conversations/messages.ts';
import { planConversation } from '#lib/features/social/conversations/new-conversation.ts';
import { planNotOptedOut } from '#lib/features/social/conversations/opt-out.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, create, ensure, ensureNot, type Write, write } from '#lib/platform/db/write.ts';
import { planCount } from '#lib/platform/rate-limits/rate-limiter.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { StopReason } from '#schemas/conversations.ts';
import { planHandOver } from './hand-over.ts';
import type { ClaimedReply } from './record-outcome.ts';
import type { ReplyScene, ReplyWork } from './reply-scene.ts';
import { planTraced, type TracedAnswer, type Way } from './trace.ts';

/** The agent's reply, and whether it hands the conversation over to people. */
export type WrittenReply = {
  readonly text: string;
  readonly isHandOver: boolean;
  /** Absent for a fixed text. */
  readonly confidence?: number;
  readonly usage: AgentAnswer['usage'];
  /** The buttons of a fixed answer, which no template wrote, and the writes of their links. */
  readonly fixed?: PlannedButtons;
};

/** Thrown when a precondition of the reply no longer holds. */
export class ReplyStoppedError extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`The answer was stopped: ${reason}`);
    this.name = 'ReplyStoppedError';
    this.reason = reason;
  }
}

/** What is claimed: a planned reply, or a follow-up to the answer of `messageId`. */
export type ClaimedWork = Pick<
  ReplyWork,
  'organizationId' | 'conversationId' | 'messageId' | 'replyId' | 'campaignId' | 'agentId'
> & {
  readonly way: Way;
  /** Absent for a follow-up, which no template wrote. */
  readonly template?: ReplyWork['template'];
};

/** What a claim depends on. */
export type ClaimedScene = Pick<
  ReplyScene,
  'account' | 'source' | 'target' | 'isNewTarget' | 'answerer' | 'followUp'
> & {
  readonly answered: Pick<Message, 'id' | 'createdAt' | 'networkMessageId' | 'platformPostId'>;
  /** The answer that is followed up. */
  readonly followed?: ClaimedReply['message'];
};

export type PrivateReplyClaim = { readonly conversationId: string; readonly messageId: string };

/**
 * Atomically claims everything a reply needs. The conversation must not have been taken over or
 * received another message; campaign, agent and account must be active; the account must be below
 * its hourly limit; the customer must not have opted out; and a credit is reserved.
 * Once claimed, the message is stored and may be sent.
 *
 * @throws ReplyStoppedError, CreditsExhaustedError, MessageAlreadyRecordedError, and ConditionNotMetError on a conflict.
 */
export async function claimReply(
  work: ClaimedWork,
  scene: ClaimedScene,
  reply: WrittenReply,
  traced: TracedAnswer,
): Promise<{ readonly message: Message; readonly conversation: Conversation }> {
  const { organizationId, replyId, way } = work;
  const { target, isNewTarget } = scene;
  const replied = answeredConversation(scene, work, reply, traced.missingVariables);
  const message = newMessage(work, scene, reply, replied);
  const handOver = reply.isHandOver ? await planHandOver(replied, 'HANDOFF') : undefined;
  const conversation = withLastMessage(handOver?.conversation ?? replied, message);
  const traceKey = keys.replyTrace(organizationId, work.conversationId, work.messageId);
  await write(
    ...planMessage(organizationId, message),
    ...(isNewTarget
      ? planConversation(conversation)
      : planConversationChange(target, conversation)),
    ...(handOver?.writes ?? []),
    ...(reply.fixed?.writes ?? []),
    ...planRequirements(work, scene),
    await planNotOptedOut(conversation, () => new ReplyStoppedError('OPTED_OUT')),
    ...(way === 'privateReply' ? planPrivateReplyClaim(work, scene, message) : []),
    ...planCreditReservation(organizationId, replyId),
    planTraced(traceKey, way, traced),
  );

  return { message, conversation };
}

function answeredConversation(
  scene: ClaimedScene,
  { way, agentId, campaignId, template }: ClaimedWork,
  { isHandOver, fixed }: WrittenReply,
  missing: TracedAnswer['missingVariables'],
): Conversation {
  const { target } = scene;
  const responseCount = target.responseCount + 1;
  // A follow-up must not affect replies planned in the conversation, or who waits for one.
  if (way === 'followUp') {
    return { ...target, responseCount, updatedAt: timestamp() };
  }
  const { stopReason: _, missingVariables: __, replyToken, replyDueAt, ...rest } = target;
  const answeredNow: Conversation = {
    ...rest,
    // A private reply to a comment must not affect replies planned in the private conversation.
    ...(way === 'privateReply' && replyToken ? { replyToken } : {}),
    ...(way === 'privateReply' && replyDueAt ? { replyDueAt } : {}),
    ...(way === 'privateReply' ? campaignLinks(scene, campaignId) : {}),
    responseCount,
    ...(template && !fixed ? { template } : {}),
    ...(agentId ? { agentId } : {}),
    ...(missing ? { missingVariables: missing } : {}),
    updatedAt: timestamp(),
  };

  // The agent's own handover sentence does not answer the customer.
  return isHandOver ? takenOver(answeredNow) : answered(answeredNow);
}

/**
 * Links a private conversation to the campaign, lead and contact that started it, so that the campaign
 * answers the replies.
 */
function campaignLinks(
  { source: { leadId, contactId } }: ClaimedScene,
  campaignId: string | undefined,
): Pick<Conversation, 'matchedCampaignId' | 'leadId' | 'contactId'> {
  return {
    ...(campaignId ? { matchedCampaignId: campaignId } : {}),
    ...(leadId ? { leadId } : {}),
    ...(contactId ? { contactId } : {}),
  };
}

function newMessage(
  { replyId, way, campaignId, template }: ClaimedWork,
  scene: ClaimedScene,
  { text, isHandOver, confidence, usage, fixed }: WrittenReply,
  { controlVersion }: Conversation,
): Message {
  const { source, target, answered, answerer, followUp, followed } = scene;
  const notAfter = latestMoment(way, source, answered);
  const ofConversationId = way === 'privateReply' ? source.id : followed?.answer.ofConversationId;
  const { networkMessageId, platformPostId } = answered;
  const answer: AgentAnswer = {
    answeredId: answered.id,
    answeredAt: answered.createdAt,
    ...(ofConversationId ? { ofConversationId } : {}),
    controlVersion,
    ...(notAfter ? { notAfter } : {}),
    ...(platformPostId ? { platformPostId } : {}),
    ...(campaignId ? { campaignId } : {}),
    ...(answerer.agentId ? { agentId: answerer.agentId } : {}),
    ...(template && !fixed ? { template } : {}),
    ...(source.leadId ? { leadId: source.leadId } : {}),
    ...(target.unansweredSince && !followed ? { unansweredSince: target.unansweredSince } : {}),
    isFirst: target.responseCount === 0,
    isHandOver,
    ...(followUp && !isHandOver ? { followUp } : {}),
    ...(followed ? { followsUp: followed.id } : {}),
    usage,
  };

  return {
    id: replyId,
    conversationId: target.id,
    accountId: target.accountId,
    direction: 'OUT',
    author: 'BOT',
    text,
    status: 'PENDING',
    ...(confidence === undefined ? {} : { confidence }),
    ...(fixed && fixed.buttons.length > 0 ? { buttons: fixed.buttons } : {}),
    ...(networkMessageId === undefined ? {} : { parentId: networkMessageId }),
    answer,
    createdAt: timestamp(),
  };
}

/** Returns the network's deadline for the reply. */
export function latestMoment(
  way: Way,
  { platform, windowExpiresAt }: Conversation,
  { createdAt }: Pick<Message, 'createdAt'>,
): string | undefined {
  if (way !== 'privateReply') {
    return windowExpiresAt;
  }
  const hours = capabilities[platform].privateReplyWindowHours ?? 0;

  return new Date(Date.parse(createdAt) + hours * hourMs).toISOString();
}

function planRequirements(
  { organizationId }: ClaimedWork,
  { account, answerer }: ClaimedScene,
): readonly Write[] {
  const { campaignId, agentId } = answerer;
  const isActive = equals('status', 'ACTIVE');
  const inactive = () => new ReplyStoppedError('AGENT_INACTIVE');

  return [
    ...(campaignId
      ? [ensure(keys.campaign(organizationId, campaignId), { when: isActive, refused: inactive })]
      : []),
    ...(agentId
      ? [ensure(keys.agent(organizationId, agentId), { when: isActive, refused: inactive })]
      : []),
    ensure(keys.socialAccount(organizationId, account.id), {
      when: capabilities[account.platform].needsBusinessToken
        ? equals('messaging', 'CONNECTED')
        : equals('isActive', true),
      refused: () => new ReplyStoppedError('NOT_SUPPORTED'),
    }),
    planCount('aiReplies', account.id, () => new ReplyStoppedError('RATE_LIMITED')),
    ensureNot(
      keys.subscription(organizationId),
      equals('repliesPaused', true),
      () => new ReplyStoppedError('SUBSCRIPTION_PAUSED'),
    ),
  ];
}

/** A comment gets one private reply, and none after it was taken over. */
function planPrivateReplyClaim(
  { organizationId, conversationId, messageId }: ClaimedWork,
  { source }: ClaimedScene,
  message: Message,
): readonly Write[] {
  const claim: PrivateReplyClaim = {
    conversationId: message.conversationId,
    messageId: message.id,
  };

  return [
    create(
      keys.privateReplyClaim(organizationId, conversationId, messageId),
      claim,
      () => new PrivateReplySentError(),
    ),
    // A comment that is answered in private no longer waits.
    change(keys.conversation(organizationId, conversationId), {
      set: { unansweredSince: null, isUnattended: null },
      when: allOf(
        equals('controlVersion', source.controlVersion),
        unchanged('contactId', source.contactId),
      ),
    }),
  ];
}

export class PrivateReplySentError extends Error {}
