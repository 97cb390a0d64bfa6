import { CreditsExhaustedError } from '#lib/features/billing/ledger/credit-reservations.ts';
import type {
  AgentAnswer,
  ClaimedAnswer,
  Conversation,
  Message,
} from '#lib/features/conversations/conversation.ts';
import { findConversation } from '#lib/features/conversations/conversations.ts';
import { planNotOptedOut } from '#lib/features/conversations/inbound/opt-out.ts';
import { echoTagOf } from '#lib/features/conversations/messages/echo-tag.ts';
import { MessageAlreadyRecordedError } from '#lib/features/conversations/messages/messages.ts';
import { sendMessage } from '#lib/features/conversations/outbound/send-message.ts';
import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { now } from '#lib/platform/clock.ts';
import { absent, allOf, equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { ensure, type Write } from '#lib/platform/db/write.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import type { Credentials, Sent } from '#lib/vendors/networks/network.ts';
import { messagesOf } from '#lib/vendors/networks/ports/messages.ts';
import type { StopReason } from '#schemas/conversation-reasons.ts';
import {
  type Answer,
  AnswerStoppedError,
  type ClaimedContext,
  type ClaimedWork,
  claimAnswer,
  type PrivateReplyClaim,
} from './claim-answer.ts';
import { recordReplyFailed, recordReplySent, recordReplyUnknown } from './record-outcome.ts';
import { type Sending, sendOnce } from './send-once.ts';
import { messageGone } from './trace.ts';

type AnswerToSend = {
  readonly work: ClaimedWork;
  readonly context: ClaimedContext;
  readonly answer: Answer;
  /**
   * Ends the work if the answer could not be claimed. Without a reason, another answer replaced it.
   */
  readonly onStopped: (stopReason: StopReason | undefined) => Promise<WorkOutcome>;
};

/**
 * Claims an answer, sends it once and records the outcome. If a concurrent change affected its
 * basis, the work starts over.
 */
export async function sendAnswer(
  { work, context, answer, onStopped }: AnswerToSend,
  workKey: Key,
): Promise<WorkOutcome> {
  try {
    const claimed = await claimAnswer(work, context, answer);

    return await sendOnce(sendingOf(claimed, context.account), workKey);
  } catch (failure) {
    if (failure instanceof AnswerStoppedError) {
      return onStopped(failure.stopReason);
    }
    if (failure instanceof CreditsExhaustedError) {
      return onStopped('NO_CREDITS');
    }
    if (failure instanceof ConditionNotMetError || failure instanceof MessageAlreadyRecordedError) {
      return 'unfinished';
    }
    throw failure;
  }
}

type Claimable = Omit<ClaimedWork, 'campaignId' | 'agentId' | 'template'>;

/** Resumes after a crash. `undefined` if the work's answer was not claimed before. */
export async function finishClaimed(
  { organizationId, conversationId, messageId, replyId, way }: Claimable,
  workKey: Key,
): Promise<WorkOutcome | undefined> {
  const inPrivate =
    way === 'privateReply'
      ? await get<PrivateReplyClaim>(
          socialKeys.privateReplyClaim(organizationId, conversationId, messageId),
        )
      : undefined;
  const place = inPrivate?.conversationId ?? conversationId;
  const message = await get<Message>(
    socialKeys.conversationMessage(organizationId, place, replyId),
  );
  const { answer } = message ?? {};
  if (!message || !answer) {
    return undefined;
  }
  const [conversation, account] = await Promise.all([
    findConversation(organizationId, place),
    findSocialAccount(organizationId, message.accountId),
  ]);
  if (!conversation) {
    return undefined;
  }
  const claimed = { conversation, message: { ...message, answer } };
  if (message.status === 'SENT') {
    await recordReplySent(claimed, message.networkMessageId ?? '');
  }

  return sendOnce(sendingOf(claimed, account), workKey);
}

function sendingOf(claimed: ClaimedAnswer, account: SocialAccount | undefined): Sending {
  const { conversation, message } = claimed;

  return {
    organizationId: conversation.organizationId,
    message,
    account,
    requirements: () => planRequirements(claimed),
    send: (credentials) => send(credentials, claimed),
    recordSent: (networkMessageId) => recordReplySent(claimed, networkMessageId),
    recordFailed: (reason, stopped) => recordReplyFailed(claimed, reason, stopped),
    recordUnknown: () => recordReplyUnknown(claimed),
  };
}

/**
 * Requires that nobody has taken over the conversation, the customer has not opted out, and the
 * answered messages have not been withdrawn or hidden.
 */
async function planRequirements({
  conversation,
  message: { answer },
}: ClaimedAnswer): Promise<readonly Write[]> {
  const { organizationId, id } = conversation;
  const { notAfter, controlVersion } = answer;
  if (notAfter !== undefined && Date.parse(notAfter) <= now()) {
    throw new AnswerStoppedError(
      'WINDOW_CLOSED',
      'The reply window of this conversation has closed',
    );
  }

  return [
    ensure(socialKeys.conversation(organizationId, id), {
      when: equals('controlVersion', controlVersion),
      onConditionFailed: () =>
        new AnswerStoppedError('HUMAN_TAKEOVER', 'A person has taken over the conversation'),
    }),
    await planNotOptedOut(
      conversation,
      () => new AnswerStoppedError('OPTED_OUT', 'The customer has opted out of automatic answers'),
    ),
    planStillAsked(conversation, answer),
  ];
}

function planStillAsked(
  { organizationId, id }: Conversation,
  { ofConversationId = id, answeredId }: AgentAnswer,
): Write {
  return ensure(socialKeys.conversationMessage(organizationId, ofConversationId, answeredId), {
    when: allOf(absent('deletedAt'), absent('isHidden')),
    onConditionFailed: () => new AnswerStoppedError(undefined, messageGone),
  });
}

function send(credentials: Credentials, { conversation, message }: ClaimedAnswer): Promise<Sent> {
  const { parentId: commentId, text, answer, buttons = [] } = message;
  if (answer.ofConversationId && commentId !== undefined) {
    const echoTag = echoTagOf(message);

    return messagesOf(conversation.platform).privateReply(credentials, {
      commentId,
      text,
      buttons,
      echoTag,
    });
  }
  const { platformPostId } = answer;
  const answered = commentId === undefined ? undefined : { commentId, platformPostId };

  return sendMessage(credentials, conversation, message, answered);
}
