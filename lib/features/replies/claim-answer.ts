import { planCreditReservation } from '#lib/features/billing/ledger/credit-reservations.ts';
import type {
  AgentAnswer,
  ClaimedAnswer,
  Conversation,
  Message,
} from '#lib/features/conversations/conversation.ts';
import { planConversationChange, takenOver } from '#lib/features/conversations/conversations.ts';
import { planNotOptedOut } from '#lib/features/conversations/inbound/opt-out.ts';
import { planMessage } from '#lib/features/conversations/messages/messages.ts';
import { planConversation } from '#lib/features/conversations/new-conversation.ts';
import { answered, withLastMessage } from '#lib/features/conversations/waiting.ts';
import type { PlannedButtons } from '#lib/features/personal-links/personal-links.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { campaignKeys } from '#lib/platform/db/keys/campaigns.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { change, create, ensure, ensureNot, type Write, write } from '#lib/platform/db/write.ts';
import { planCount } from '#lib/platform/rate-limits/rate-limiter.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { StopReason } from '#schemas/conversation-reasons.ts';
import { planHandOver } from './hand-over.ts';
import type { ReplyContext, ReplyWork } from './reply-context.ts';
import { type AnswerKind, planTraced, type TracedAnswer } from './trace.ts';

/** An answer from its composer. */
export type Answer = {
  readonly text: string;
  /** True if the answer hands over the conversation to people. */
  readonly isHandOver?: boolean;
  /** Absent for a fixed text, like `usage`. */
  readonly confidence?: number;
  readonly usage?: AgentAnswer['usage'];
  /** The buttons of a fixed answer, which has no template, and the writes of their links. */
  readonly fixed?: PlannedButtons;
  /** Trace fields besides the responder. */
  readonly trace?: Partial<TracedAnswer>;
};

/** Thrown when a precondition of the answer is no longer met. */
export class AnswerStoppedError extends Error {
  /** Undefined if another answer replaced it, or its message was withdrawn or hidden. */
  readonly stopReason: StopReason | undefined;

  constructor(
    stopReason: StopReason | undefined,
    message = `The answer was stopped: ${stopReason}`,
  ) {
    super(message);
    this.name = 'AnswerStoppedError';
    this.stopReason = stopReason;
  }
}

/** The claimed work: a planned reply, or a follow-up to the answer of `messageId`. */
export type ClaimedWork = Pick<
  ReplyWork,
  'organizationId' | 'conversationId' | 'messageId' | 'replyId' | 'campaignId' | 'agentId'
> & {
  readonly way: AnswerKind;
  /** Absent for a follow-up, which has no template. */
  readonly template?: ReplyWork['template'];
};

/** The state that a claim depends on. */
export type ClaimedContext = Pick<
  ReplyContext,
  'account' | 'source' | 'target' | 'isNewTarget' | 'responder' | 'followUp'
> & {
  readonly answered: Pick<Message, 'id' | 'createdAt' | 'networkMessageId' | 'platformPostId'>;
  /** The answer that the follow-up follows. */
  readonly followed?: ClaimedAnswer['message'];
};

export type PrivateReplyClaim = { readonly conversationId: string; readonly messageId: string };

/** Returns the trace of an answer: its responder, and the composer's additions. */
export function traceOf(
  { replyId, campaignId }: ClaimedWork,
  { responder }: Pick<ClaimedContext, 'responder'>,
  { trace }: Pick<Answer, 'trace'>,
): TracedAnswer {
  return {
    outcome: 'PLANNED',
    ...(campaignId ? { campaignId } : {}),
    ...(responder.agentId ? { agentId: responder.agentId } : {}),
    replyId,
    ...trace,
  };
}

/**
 * Atomically claims everything that an answer needs. The conversation must not have been taken over
 * or received another message; campaign, agent and account must be active; the account must be
 * below its hourly limit; the customer must not have opted out; and a credit is reserved. After the
 * claim, the message is stored and may be sent.
 *
 * @throws AnswerStoppedError, CreditsExhaustedError, MessageAlreadyRecordedError, and
 * ConditionNotMetError on a conflict.
 */
export async function claimAnswer(
  work: ClaimedWork,
  context: ClaimedContext,
  answer: Answer,
): Promise<ClaimedAnswer> {
  const { organizationId, replyId, way } = work;
  const { target, isNewTarget } = context;
  const replied = answeredConversation(context, work, answer);
  const message = newMessage(work, context, answer, replied);
  const handOver = answer.isHandOver ? await planHandOver(replied, 'HANDOFF') : undefined;
  const conversation = withLastMessage(handOver?.conversation ?? replied, message);
  const traceKey = socialKeys.replyTrace(organizationId, work.conversationId, work.messageId);
  await write(
    ...planMessage(organizationId, message),
    ...(isNewTarget
      ? planConversation(conversation)
      : planConversationChange(target, conversation)),
    ...(handOver?.writes ?? []),
    ...(answer.fixed?.writes ?? []),
    ...planRequirements(work, context),
    await planNotOptedOut(conversation, () => new AnswerStoppedError('OPTED_OUT')),
    ...(way === 'privateReply' ? planPrivateReplyClaim(work, context, message) : []),
    ...planCreditReservation(organizationId, replyId),
    planTraced(traceKey, way, traceOf(work, context, answer)),
  );

  return { message, conversation };
}

function answeredConversation(
  context: ClaimedContext,
  { way, agentId, campaignId, template }: ClaimedWork,
  { isHandOver, fixed, trace }: Answer,
): Conversation {
  const { target } = context;
  const { missingVariables: missing } = trace ?? {};
  const responseCount = target.responseCount + 1;
  // A follow-up must not affect planned replies of the conversation, or the customer's waiting
  // time.
  if (way === 'followUp') {
    return { ...target, responseCount, updatedAt: timestamp() };
  }
  const { stopReason: _, missingVariables: __, replyToken, replyDueAt, ...rest } = target;
  const answeredNow: Conversation = {
    ...rest,
    // A private reply to a comment must not affect replies planned in the private conversation.
    ...(way === 'privateReply' && replyToken ? { replyToken } : {}),
    ...(way === 'privateReply' && replyDueAt ? { replyDueAt } : {}),
    ...(way === 'privateReply' ? campaignLinks(context, campaignId) : {}),
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
 * Links a private conversation to the campaign, lead and contact from which it started, so that the
 * campaign answers the customer's replies.
 */
function campaignLinks(
  { source: { leadId, leadContactId } }: ClaimedContext,
  campaignId: string | undefined,
): Pick<Conversation, 'campaignId' | 'leadId' | 'leadContactId'> {
  return {
    ...(campaignId ? { campaignId } : {}),
    ...(leadId ? { leadId } : {}),
    ...(leadContactId ? { leadContactId } : {}),
  };
}

const noUsage = { promptTokens: 0, completionTokens: 0 };

function newMessage(
  { replyId, way, campaignId, template }: ClaimedWork,
  context: ClaimedContext,
  { text, isHandOver = false, confidence, usage = noUsage, fixed }: Answer,
  { controlVersion }: Conversation,
): ClaimedAnswer['message'] {
  const { source, target, answered, responder, followUp, followed } = context;
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
    ...(responder.agentId ? { agentId: responder.agentId } : {}),
    ...(template && !fixed ? { template } : {}),
    ...(source.leadId ? { leadId: source.leadId } : {}),
    ...(target.unansweredSince && !followed
      ? { unansweredSince: target.unansweredSince, answers: target.answers ?? 0 }
      : {}),
    isFirst: target.responseCount === 0,
    isHandOver,
    ...(followUp && !isHandOver ? { followUp } : {}),
    ...(followed ? { followsUp: followed.id } : {}),
    usage,
  };

  return {
    id: replyId,
    conversationId: target.id,
    accountId: target.socialAccountId,
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
  way: AnswerKind,
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
  { account, responder }: ClaimedContext,
): readonly Write[] {
  const { campaignId, agentId } = responder;
  const isActive = equals('status', 'ACTIVE');
  const inactive = () => new AnswerStoppedError('AGENT_INACTIVE');

  return [
    ...(campaignId
      ? [
          ensure(campaignKeys.campaign(organizationId, campaignId), {
            when: isActive,
            onConditionFailed: inactive,
          }),
        ]
      : []),
    ...(agentId
      ? [
          ensure(organizationKeys.record(organizationId, 'AGENT', agentId), {
            when: isActive,
            onConditionFailed: inactive,
          }),
        ]
      : []),
    ensure(socialKeys.socialAccount(organizationId, account.id), {
      when: capabilities[account.platform].needsBusinessToken
        ? equals('messaging', 'CONNECTED')
        : equals('isActive', true),
      onConditionFailed: () => new AnswerStoppedError('NOT_SUPPORTED'),
    }),
    planCount('aiReplies', account.id, () => new AnswerStoppedError('RATE_LIMITED')),
    ensureNot(
      billingKeys.subscription(organizationId),
      equals('repliesPaused', true),
      () => new AnswerStoppedError('SUBSCRIPTION_PAUSED'),
    ),
  ];
}

/** A comment gets only one private reply, and none after a takeover. */
function planPrivateReplyClaim(
  { organizationId, conversationId, messageId }: ClaimedWork,
  { source }: ClaimedContext,
  message: Message,
): readonly Write[] {
  const claim: PrivateReplyClaim = {
    conversationId: message.conversationId,
    messageId: message.id,
  };

  return [
    create(
      socialKeys.privateReplyClaim(organizationId, conversationId, messageId),
      claim,
      () => new AnswerStoppedError(undefined),
    ),
    // A comment that is answered in private no longer waits.
    change(socialKeys.conversation(organizationId, conversationId), {
      set: { unansweredSince: null, isUnattended: null },
      add: { answers: 1 },
      when: allOf(
        equals('controlVersion', source.controlVersion),
        unchanged('messageChanges', source.messageChanges),
        unchanged('leadContactId', source.leadContactId),
      ),
    }),
  ];
}
