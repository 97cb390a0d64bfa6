import {
  type Conversation,
  isFileSent,
  type Message,
} from '#lib/features/conversations/conversation.ts';
import {
  listLatestMessages,
  planConversationChange,
  requireConversation,
  takenOver,
} from '#lib/features/conversations/conversations.ts';
import {
  findMessage,
  planMessage,
  planResend,
} from '#lib/features/conversations/messages/messages.ts';
import { withLastMessage } from '#lib/features/conversations/waiting.ts';
import {
  requireSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { discard, type Write, write } from '#lib/platform/db/write.ts';
import { apiError, badRequest, upstream, wrongState } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { CommentTarget, Sent } from '#lib/vendors/networks/network.ts';
import { asApiError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { textProblem } from '#lib/vendors/networks/text-problem.ts';
import { awaitSilence } from './await-silence.ts';
import { canReply, replyCapability } from './can-reply.ts';
import { claimText } from './file-outcome.ts';
import {
  recordMessageLost,
  recordMessageNotSent,
  recordMessageSent,
  textNotSent,
} from './message-outcome.ts';
import { copyToMessage, requireReplyMedium } from './reply-file.ts';
import { sendFile, sendMessage } from './send-message.ts';

/** Longer than any function that sends can run. */
const lostAfterMs = minuteMs;
const messagesChecked = 100;

export type PersonsReply = {
  /** The intent's id becomes the message id. */
  readonly intent: Intent;
  readonly userId: string;
  /** Called when it is certain that the reply was not sent before. */
  readonly textFor: (conversation: Conversation) => Promise<string>;
  /** At most one. The file is sent before the text. */
  readonly mediaIds: readonly string[];
};

/**
 * Sends a person's reply, which also takes over the conversation. One transaction stores the
 * message and the takeover before sending. The outcome is stored afterwards. If the outcome is
 * unknown, the message is marked `UNKNOWN` and never sent again automatically.
 *
 * @param planSent plans further writes after a successful send, in addition to the message's
 * outcome.
 * @throws 404; 400 for input that the network does not support; 409 if replies are no longer
 * allowed; 401, 403 and 502 for network failures.
 */
export async function replyAsPerson(
  organizationId: string,
  conversationId: string,
  reply: PersonsReply,
  planSent: PlanSent,
): Promise<Message> {
  const conversation = await requireConversation(organizationId, conversationId);
  const { intent } = reply;
  const known = intent.isRepeated ? await findMessage(conversation, intent.id) : undefined;
  if (known && known.status !== 'FAILED') {
    return settled(known);
  }
  const [account, answered, text, medium] = await Promise.all([
    requireSocialAccount(organizationId, conversation.socialAccountId),
    findAnswered(conversation),
    reply.textFor(conversation),
    known?.attachments ? undefined : requireReplyMedium(conversation, reply.mediaIds),
  ]);
  requireReply(conversation, account, text);
  const content = {
    text,
    ...(medium ? { attachments: [await copyToMessage(medium, intent)] } : {}),
  };
  const reserved = await reserve(
    conversation,
    { ...reply, content },
    answered,
    known !== undefined,
  );
  const delivery = { account, conversation, answered, planSent, ...reserved };

  return deliver(delivery, async (begin) => {
    await awaitSilence(organizationId, conversationId);

    return send(delivery, begin);
  });
}

/**
 * Returns the message of an earlier, identical request.
 *
 * @throws 502 while its outcome is still unknown.
 */
function settled(message: Message): Message {
  if (message.status === 'PENDING') {
    throw upstream('social', new Error('An earlier request to send the message is not settled'));
  }

  return message;
}

type PlanSent = (conversation: Conversation, message: Message) => Promise<readonly Write[]>;

/** Finds the message that a public reply is attached to. Private replies need none. */
async function findAnswered({
  organizationId,
  id,
  channel,
}: Conversation): Promise<Message | undefined> {
  if (channel === 'DIRECT_MESSAGE') {
    return undefined;
  }
  const messages = await listLatestMessages(organizationId, id, messagesChecked);
  const answered = messages.findLast(
    ({ direction, deletedAt }) => direction === 'IN' && deletedAt === undefined,
  );
  if (!answered) {
    throw wrongState('The conversation has no comment to reply to', 'NO_COMMENT');
  }

  return answered;
}

function answeredOf(message: Message | undefined): CommentTarget | undefined {
  const { networkMessageId: commentId, platformPostId } = message ?? {};

  return commentId === undefined ? undefined : { commentId, platformPostId };
}

function requireReply(conversation: Conversation, account: SocialAccount, text: string): void {
  const { platform, channel } = conversation;
  const permission = canReply(conversation, account, 'HUMAN');
  if (!permission.allowed) {
    throw permission.reason === 'NOT_SUPPORTED'
      ? capabilityMissing(platform, replyCapability(channel))
      : refusals[permission.reason]();
  }
  const problem = textProblem(platform, channel, text);
  if (problem !== undefined) {
    throw badRequest(`message ${problem}`);
  }
}

const refusals = {
  ACCOUNT_INACTIVE: () => apiError('SOCIAL_ACCOUNT_INACTIVE', 'Social account is not active'),
  WINDOW_CLOSED: () =>
    apiError('REPLY_WINDOW_CLOSED', 'The reply window of this conversation has closed'),
  HUMAN_TAKEOVER: () => wrongState('A person has taken over the conversation', 'HUMAN'),
} as const;

/**
 * Sends the file of the message, if it has one, and then its text. The text is claimed after the
 * network has confirmed the file, and never sent before. Each has a separate token check, because a
 * new token must not send the file again.
 *
 * @returns undefined if the message was resolved before its text was sent.
 */
async function send(
  { account, conversation, answered, message }: Delivery,
  begin: (part: Part) => void,
): Promise<Sent | undefined> {
  const [file] = message.attachments ?? [];
  if (file && !isFileSent(message)) {
    const sent = await withMessagingToken(account, (credentials) => {
      begin('file');

      return sendFile(credentials, conversation, message, file);
    });
    if (message.text === '') {
      return sent;
    }
    if (!(await claimText(account, message, sent.id))) {
      return undefined;
    }
    begin('text');
  }

  return withMessagingToken(account, (credentials) => {
    begin('text');

    return sendMessage(credentials, conversation, message, answeredOf(answered));
  });
}

/**
 * Stores the message before anything is sent, with work that resolves it if this process crashes. A
 * message that was definitely not sent is reused.
 */
function reserve(
  conversation: Conversation,
  { intent, userId, content }: PersonsReply & { readonly content: Content },
  answered: Message | undefined,
  isResend: boolean,
): Promise<{ readonly message: Message; readonly workKey: Key }> {
  const { organizationId, id: conversationId } = conversation;

  return retryWhenOvertaken('conversation', async () => {
    const [before, failed] = await Promise.all([
      requireConversation(organizationId, conversationId),
      isResend ? findMessage(conversation, intent.id) : undefined,
    ]);
    const message: Message = {
      id: intent.id,
      conversationId,
      accountId: before.socialAccountId,
      direction: 'OUT',
      author: 'HUMAN',
      userId,
      ...content,
      ...(failed?.attachments ? { attachments: failed.attachments } : {}),
      status: 'PENDING',
      ...(answered?.networkMessageId === undefined ? {} : { parentId: answered.networkMessageId }),
      createdAt: timestamp(),
    };
    const work = planWork('messageOutcome', {
      owner: socialKeys.conversation(organizationId, conversationId),
      payload: { organizationId, conversationId, messageId: message.id },
      sweepAfterMs: lostAfterMs,
      leaveToSweep: true,
    });
    await write(
      ...(failed ? [planResend(organizationId, failed)] : planMessage(organizationId, message)),
      ...planConversationChange(before, withLastMessage(takenOver(before), message)),
      work,
    );

    return { message, workKey: work.key };
  });
}

type Content = Pick<Message, 'text' | 'attachments'>;

/** The part that is being sent. */
type Part = 'file' | 'text';

type Delivery = {
  readonly account: SocialAccount;
  readonly conversation: Conversation;
  readonly answered: Message | undefined;
  readonly message: Message;
  readonly workKey: Key;
  readonly planSent: PlanSent;
};

const notSent = 'The message could not be sent';

/**
 * Sends the message and records its outcome, which also completes the work. A failure before
 * sending starts means that the message was not sent.
 */
async function deliver(
  delivery: Delivery,
  sending: (begin: (part: Part) => void) => Promise<Sent | undefined>,
): Promise<Message> {
  const { account, conversation, message, workKey } = delivery;
  const { organizationId } = account;
  const done = [discard(workKey)];
  let begun: Part | undefined;
  try {
    const sent = await sending((part) => {
      begun = part;
    });
    if (!sent) {
      return (await findMessage(conversation, message.id)) ?? message;
    }
    await recordSent(delivery, sent.id, done);

    return { ...message, status: 'SENT' };
  } catch (failure) {
    if (!(failure instanceof NetworkError)) {
      if (!begun) {
        // Throw the original failure. If this write fails too, the planned work resolves the
        // message.
        await recordMessageNotSent(organizationId, message, 'FAILED', notSent, done).catch(
          () => undefined,
        );
      }
      throw failure;
    }
    if (failure.isSafeToRetry) {
      const reason = reasonOf(failure, message, begun);
      await recordMessageNotSent(organizationId, message, 'FAILED', reason, done);
      throw asApiError(failure);
    }

    return (await recordMessageLost(organizationId, message, done)) ?? message;
  }
}

function reasonOf(
  { message: reason }: NetworkError,
  { text, attachments }: Message,
  begun: Part | undefined,
): string {
  if (!attachments || text === '' || !begun) {
    return reason;
  }

  return begun === 'file' ? `${reason}. The text was not sent` : `${textNotSent}: ${reason}`;
}

/** Retries if the lead, or another item of the same transaction, changed concurrently. */
function recordSent(
  { account, conversation, message, planSent }: Delivery,
  networkMessageId: string,
  done: readonly Write[],
): Promise<void> {
  return retryWhenOvertaken('message', async () => {
    const extraWrites = [...done, ...(await planSent(conversation, message))];
    await recordMessageSent(account, message, conversation.channel, networkMessageId, extraWrites);
  });
}
