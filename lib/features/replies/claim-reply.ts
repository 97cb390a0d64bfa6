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
import type { ReplyScene, ReplyWork } from './reply-scene.ts';
import { planTraced, type TracedAnswer } from './trace.ts';

/** The agent's reply, and whether it hands the conversation over to people. */
export type WrittenReply = {
  readonly text: string;
  readonly isHandOver: boolean;
  /** Absent for a fixed answer. */
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
  work: ReplyWork,
  scene: ReplyScene,
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
  scene: ReplyScene,
  { way, agentId, campaignId, template: named }: ReplyWork,
  { isHandOver, fixed }: WrittenReply,
  missing: TracedAnswer['missingVariables'],
): Conversation {
  const { target, template } = scene;
  const { stopReason: _, missingVariables: __, replyToken, replyDueAt, ...rest } = target;
  const answeredNow: Conversation = {
    ...rest,
    // A private reply to a comment must not affect replies planned in the private conversation.
    ...(way === 'privateReply' && replyToken ? { replyToken } : {}),
    ...(way === 'privateReply' && replyDueAt ? { replyDueAt } : {}),
    ...(way === 'privateReply' ? campaignLinks(scene, campaignId) : {}),
    responseCount: target.responseCount + 1,
    ...(fixed ? {} : { template: { id: template.id, kind: named.kind } }),
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
  { source: { leadId, contactId } }: ReplyScene,
  campaignId: string | undefined,
): Pick<Conversation, 'matchedCampaignId' | 'leadId' | 'contactId'> {
  return {
    ...(campaignId ? { matchedCampaignId: campaignId } : {}),
    ...(leadId ? { leadId } : {}),
    ...(contactId ? { contactId } : {}),
  };
}

function newMessage(
  { replyId, way, campaignId, template }: ReplyWork,
  { source, target, answered, answerer }: ReplyScene,
  { text, isHandOver, confidence, usage, fixed }: WrittenReply,
  { controlVersion }: Conversation,
): Message {
  const notAfter = latestMoment(way, source, answered);
  const { networkMessageId, platformPostId } = answered;
  const answer: AgentAnswer = {
    answeredId: answered.id,
    answeredAt: answered.createdAt,
    ...(way === 'privateReply' ? { ofConversationId: source.id } : {}),
    controlVersion,
    ...(notAfter ? { notAfter } : {}),
    ...(platformPostId ? { platformPostId } : {}),
    ...(campaignId ? { campaignId } : {}),
    ...(answerer.agentId ? { agentId: answerer.agentId } : {}),
    ...(fixed ? {} : { template }),
    ...(source.leadId ? { leadId: source.leadId } : {}),
    ...(target.unansweredSince ? { unansweredSince: target.unansweredSince } : {}),
    isFirst: target.responseCount === 0,
    isHandOver,
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
  way: ReplyWork['way'],
  { platform, windowExpiresAt }: Conversation,
  { createdAt }: Message,
): string | undefined {
  if (way === 'reply') {
    return windowExpiresAt;
  }
  const hours = capabilities[platform].privateReplyWindowHours ?? 0;

  return new Date(Date.parse(createdAt) + hours * hourMs).toISOString();
}

function planRequirements(
  { organizationId }: ReplyWork,
  { account, answerer }: ReplyScene,
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
  { organizationId, conversationId, messageId }: ReplyWork,
  { source }: ReplyScene,
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
