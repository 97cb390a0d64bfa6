import {
  requireSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { discard, type Write, write } from '#lib/platform/db/write.ts';
import { badRequest, conflict, upstream } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { Sent } from '#lib/vendors/networks/network.ts';
import { asApiError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { maxReplyLength, replyLength } from '#lib/vendors/networks/text-length.ts';
import { withLastMessage } from './attention.ts';
import { awaitSilence } from './await-silence.ts';
import { canReply, replyCapability } from './can-reply.ts';
import type { Conversation, Message } from './conversation.ts';
import {
  listLatestMessages,
  planConversationChange,
  requireConversation,
  takenOver,
} from './conversations.ts';
import { lostOutcome, recordMessageNotSent, recordMessageSent } from './message-outcome.ts';
import { findMessage, planMessage, planResend } from './messages.ts';
import { type Answered, sendMessage } from './send-message.ts';

/** Longer than any sending function runs. */
const lostAfterMs = minuteMs;
const messagesChecked = 100;

export type PersonsReply = {
  /** Its id becomes the message id. */
  readonly intent: Intent;
  readonly userId: string;
  /** Called once it is known that the reply was not sent before. */
  readonly textFor: (conversation: Conversation) => Promise<string>;
};

/**
 * Sends a person's reply, which also takes the conversation over. The message and the takeover are
 * stored in one transaction before sending; the outcome is stored afterwards. If the outcome is
 * unknown, the message is marked `UNKNOWN` and never sent again automatically.
 *
 * @param planSent plans what follows a successful send, in addition to the message's outcome.
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
  const [account, answered, text] = await Promise.all([
    requireSocialAccount(organizationId, conversation.accountId),
    findAnswered(conversation),
    reply.textFor(conversation),
  ]);
  requireReply(conversation, account, text);
  const { message, workKey } = await reserve(conversation, { ...reply, text }, answered, known);

  return deliver({ account, conversation, message, workKey, planSent }, async (begin) => {
    await awaitSilence(organizationId, conversationId);

    return withMessagingToken(account, (network, credentials) => {
      begin();

      return sendMessage(network, credentials, conversation, message, answeredOf(answered));
    });
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
  const answered = messages.findLast(({ direction }) => direction === 'IN');
  if (!answered) {
    throw conflict('The conversation has no comment to reply to');
  }

  return answered;
}

function answeredOf(message: Message | undefined): Answered | undefined {
  const { networkMessageId: commentId, platformPostId } = message ?? {};

  return commentId === undefined ? undefined : { commentId, platformPostId };
}

function requireReply(conversation: Conversation, account: SocialAccount, text: string): void {
  const { platform, channel } = conversation;
  const permission = canReply(conversation, account, 'HUMAN');
  if (!permission.allowed) {
    throw permission.reason === 'NOT_SUPPORTED'
      ? capabilityMissing(platform, replyCapability(channel))
      : conflict(refusals[permission.reason]);
  }
  const [length, limit] = [replyLength(platform, channel, text), maxReplyLength(platform, channel)];
  if (length > limit) {
    throw badRequest(
      `message must be shorter than or equal to ${limit} characters on ${platform}, which counts it as ${length}`,
    );
  }
}

const refusals = {
  ACCOUNT_INACTIVE: 'Social account is not active',
  WINDOW_CLOSED: 'The reply window of this conversation has closed',
  HUMAN_TAKEOVER: 'A person has taken over the conversation',
} as const;

/**
 * Stores the message before anything is sent, with work that resolves it if this process crashes. A
 * message that was definitely not sent is reused.
 */
function reserve(
  { organizationId, id: conversationId }: Conversation,
  { intent, userId, text }: PersonsReply & { readonly text: string },
  answered: Message | undefined,
  failed: Message | undefined,
): Promise<{ readonly message: Message; readonly workKey: Key }> {
  return retryWhenOvertaken('conversation', async () => {
    const before = await requireConversation(organizationId, conversationId);
    const message: Message = {
      id: intent.id,
      conversationId,
      accountId: before.accountId,
      direction: 'OUT',
      author: 'HUMAN',
      userId,
      text,
      status: 'PENDING',
      ...(answered?.networkMessageId === undefined ? {} : { parentId: answered.networkMessageId }),
      createdAt: timestamp(),
    };
    const work = planWork('messageOutcome', {
      owner: keys.conversation(organizationId, conversationId),
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

type Delivery = {
  readonly account: SocialAccount;
  readonly conversation: Conversation;
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
  sending: (begin: () => void) => Promise<Sent>,
): Promise<Message> {
  const { account, message, workKey } = delivery;
  const { organizationId } = account;
  const done = [discard(workKey)];
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
  };
  try {
    const { id } = await sending(begin);
    await recordSent(delivery, id, done);

    return { ...message, status: 'SENT' };
  } catch (failure) {
    if (!(failure instanceof NetworkError)) {
      if (!hasBegun) {
        // Keep the original failure. If this write fails too, the planned work resolves the
        // message.
        await recordMessageNotSent(organizationId, message, 'FAILED', notSent, done).catch(
          () => undefined,
        );
      }
      throw failure;
    }
    if (failure.isSafeToRetry) {
      await recordMessageNotSent(organizationId, message, 'FAILED', failure.message, done);
      throw asApiError(failure);
    }
    await recordMessageNotSent(organizationId, message, 'UNKNOWN', lostOutcome, done);

    return { ...message, status: 'UNKNOWN' };
  }
}

/** Retries if the lead, or anything else that follows, changed concurrently. */
function recordSent(
  { account, conversation, message, planSent }: Delivery,
  networkMessageId: string,
  done: readonly Write[],
): Promise<void> {
  return retryWhenOvertaken('message', async () => {
    const alongside = [...done, ...(await planSent(conversation, message))];
    await recordMessageSent(account, message, conversation.channel, networkMessageId, alongside);
  });
}
