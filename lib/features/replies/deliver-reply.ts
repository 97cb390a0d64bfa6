import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { echoTagOf, sendMessage } from '#lib/features/social/conversations/send-message.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { now, secondMs, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, equals } from '#lib/platform/db/conditions.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { change, ensure, write } from '#lib/platform/db/write.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import type { Credentials, Network, Sent } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import {
  type ClaimedReply,
  recordReplyFailed,
  recordReplySent,
  recordReplyUnknown,
} from './record-outcome.ts';

const firstWaitMs = 5 * secondMs;
const longestWaitMs = 600 * secondMs;
/** Delays of 5, 10, 20 and 40 seconds, or as long as the network asks for. */
const maxTries = 5;

class TakenOverError extends Error {}

class WindowClosedError extends Error {}

type Delivery = { readonly reply: ClaimedReply; readonly account: SocialAccount };

/**
 * Sends a claimed reply and records the outcome. Before sending, the message is marked as being
 * sent, provided that nobody has taken the conversation over. From then on it is never sent again,
 * unless the network confirms that it did nothing.
 */
export async function deliverReply(
  { reply, account }: Delivery,
  workKey: Key,
): Promise<WorkOutcome> {
  let isMarked = false;
  try {
    const { id } = await withMessagingToken(account, async (network, credentials) => {
      if (!isMarked) {
        await markSending(reply);
        isMarked = true;
      }

      return send(network, credentials, reply);
    });
    await recordReplySent(reply, id);

    return 'done';
  } catch (failure) {
    return handleDeliveryFailure(reply, failure, workKey);
  }
}

async function markSending({ conversation, message }: ClaimedReply): Promise<void> {
  const { organizationId, id } = conversation;
  const { notAfter, controlVersion } = message.answer;
  if (notAfter !== undefined && Date.parse(notAfter) <= now()) {
    throw new WindowClosedError();
  }
  await write(
    ensure(keys.conversation(organizationId, id), {
      when: equals('controlVersion', controlVersion),
      refused: () => new TakenOverError(),
    }),
    change(keys.conversationMessage(organizationId, id, message.id), {
      set: { sendingAt: timestamp() },
      when: allOf(equals('status', 'PENDING'), absent('sendingAt')),
    }),
  );
}

function send(
  network: Network,
  credentials: Credentials,
  { conversation, message }: ClaimedReply,
): Promise<Sent> {
  const { parentId: commentId, text, answer } = message;
  if (answer.ofConversationId && commentId !== undefined) {
    return network.privateReply(credentials, { commentId, text, echoTag: echoTagOf(message) });
  }
  const { platformPostId } = answer;
  const answered = commentId === undefined ? undefined : { commentId, platformPostId };

  return sendMessage(network, credentials, conversation, message, answered);
}

async function handleDeliveryFailure(
  reply: ClaimedReply,
  failure: unknown,
  workKey: Key,
): Promise<WorkOutcome> {
  if (failure instanceof TakenOverError) {
    const stopped = { outcome: 'STOPPED', stopReason: 'HUMAN_TAKEOVER' } as const;
    await recordReplyFailed(reply, 'A person has taken over the conversation', stopped);

    return 'done';
  }
  if (failure instanceof WindowClosedError) {
    const stopped = { outcome: 'STOPPED', stopReason: 'WINDOW_CLOSED' } as const;
    await recordReplyFailed(reply, 'The reply window of this conversation has closed', stopped);

    return 'done';
  }
  if (!(failure instanceof NetworkError)) {
    throw failure;
  }
  if (!failure.isSafeToRetry) {
    await recordReplyUnknown(reply);

    return 'done';
  }

  return failure.isTransient ? tryAgain(reply, failure, workKey) : giveUp(reply, failure);
}

async function giveUp(reply: ClaimedReply, { message }: NetworkError): Promise<'done'> {
  await recordReplyFailed(reply, message);

  return 'done';
}

/** The network confirmed that it did nothing. Clears `sendingAt` and retries later. */
async function tryAgain(
  reply: ClaimedReply,
  failure: NetworkError,
  workKey: Key,
): Promise<WorkOutcome> {
  const { organizationId, id } = reply.conversation;
  const tries = await countTry(workKey, 'networkTries');
  if (tries >= maxTries) {
    return giveUp(reply, failure);
  }
  await write(
    change(keys.conversationMessage(organizationId, id, reply.message.id), {
      set: { sendingAt: null },
      when: equals('status', 'PENDING'),
    }),
  );
  const waitMs = failure.retryAfterMs ?? firstWaitMs * 2 ** (tries - 1);

  return { againInMs: Math.min(waitMs, longestWaitMs) };
}

/** Counts an attempt on the work item, so that the count survives a crash. */
export async function countTry(workKey: Key, what: 'networkTries' | 'aiTries'): Promise<number> {
  const item = await write(change(workKey, { add: { [what]: 1 } }));

  return Number(item?.[what] ?? 1);
}
