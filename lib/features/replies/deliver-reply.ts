import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { planNotOptedOut } from '#lib/features/social/conversations/opt-out.ts';
import { echoTagOf, sendMessage } from '#lib/features/social/conversations/send-message.ts';
import { now } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { ensure, write } from '#lib/platform/db/write.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import type { Credentials, Network, Sent } from '#lib/vendors/networks/network.ts';
import type { StopReason } from '#schemas/conversations.ts';
import {
  type ClaimedReply,
  recordReplyFailed,
  recordReplySent,
  recordReplyUnknown,
} from './record-outcome.ts';
import { planArmed, sendOnce } from './send-once.ts';

/** Thrown if the claimed reply must not be sent any more. */
class NotSentError extends Error {
  readonly stopReason: StopReason;

  constructor(stopReason: StopReason, message: string) {
    super(message);
    this.stopReason = stopReason;
  }
}

type Delivery = { readonly reply: ClaimedReply; readonly account: SocialAccount };

/**
 * Sends a claimed reply and records the outcome. Before sending, the message is marked as being
 * sent, provided that nobody has taken the conversation over and the customer has not opted out.
 */
export async function deliverReply(
  { reply, account }: Delivery,
  workKey: Key,
): Promise<WorkOutcome> {
  const { message } = reply;
  const sending = {
    account,
    message,
    arm: () => markSending(reply),
    send: (network: Network, credentials: Credentials) => send(network, credentials, reply),
    recordSent: (networkMessageId: string) => recordReplySent(reply, networkMessageId),
    recordFailed: (reason: string) => recordReplyFailed(reply, reason),
    recordUnknown: () => recordReplyUnknown(reply),
  };
  try {
    return await sendOnce(sending, workKey);
  } catch (failure) {
    if (!(failure instanceof NotSentError)) {
      throw failure;
    }
    const { stopReason, message: reason } = failure;
    await recordReplyFailed(reply, reason, { outcome: 'STOPPED', stopReason });

    return 'done';
  }
}

async function markSending({ conversation, message }: ClaimedReply): Promise<void> {
  const { organizationId, id } = conversation;
  const { notAfter, controlVersion } = message.answer;
  if (notAfter !== undefined && Date.parse(notAfter) <= now()) {
    throw new NotSentError('WINDOW_CLOSED', 'The reply window of this conversation has closed');
  }
  await write(
    ensure(keys.conversation(organizationId, id), {
      when: equals('controlVersion', controlVersion),
      refused: () => new NotSentError('HUMAN_TAKEOVER', 'A person has taken over the conversation'),
    }),
    await planNotOptedOut(
      conversation,
      () => new NotSentError('OPTED_OUT', 'The customer has opted out of automatic answers'),
    ),
    planArmed(organizationId, message),
  );
}

function send(
  network: Network,
  credentials: Credentials,
  { conversation, message }: ClaimedReply,
): Promise<Sent> {
  const { parentId: commentId, text, answer, buttons = [] } = message;
  if (answer.ofConversationId && commentId !== undefined) {
    const echoTag = echoTagOf(message);

    return network.privateReply(credentials, { commentId, text, buttons, echoTag });
  }
  const { platformPostId } = answer;
  const answered = commentId === undefined ? undefined : { commentId, platformPostId };

  return sendMessage(network, credentials, conversation, message, answered);
}
