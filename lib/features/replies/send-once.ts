import type { Message } from '#lib/features/conversations/conversation.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { secondMs, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, equals } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import type { Credentials, Sent } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { AnswerStoppedError } from './claim-answer.ts';
import type { TracedAnswer } from './trace.ts';

const firstWaitMs = 5 * secondMs;
const longestWaitMs = 600 * secondMs;
/** Delays of 5, 10, 20 and 40 seconds, or as long as the network requires. */
const maxTries = 5;

/** How a stored message is sent, and how each outcome is recorded. */
export type Sending = {
  readonly organizationId: string;
  readonly message: Message;
  /** Absent if the account was disconnected in the meantime. */
  readonly account: SocialAccount | undefined;
  /** Returns conditions for sending. It may throw AnswerStoppedError. */
  readonly requirements?: () => Promise<readonly Write[]>;
  readonly send: (credentials: Credentials) => Promise<Sent>;
  readonly recordSent: (networkMessageId: string, account: SocialAccount) => Promise<void>;
  readonly recordFailed: (reason: string, stopped?: StoppedTrace) => Promise<void>;
  readonly recordUnknown: () => Promise<void>;
};

export type StoppedTrace = Pick<TracedAnswer, 'outcome' | 'stopReason'>;

/**
 * Sends a stored message and records the outcome. Before sending, the message is marked as being
 * sent. From then on it is never sent again, unless the network confirms that it did nothing. So if
 * the process crashes during sending, the outcome is unknown.
 */
export async function sendOnce(sending: Sending, workKey: Key): Promise<WorkOutcome> {
  const { message, account } = sending;
  if (message.status !== 'PENDING') {
    return 'done';
  }
  if (message.sendingAt !== undefined) {
    await sending.recordUnknown();

    return 'done';
  }
  if (!account) {
    await sending.recordFailed('The social account has been disconnected');

    return 'done';
  }
  try {
    await sendVia(account, sending);

    return 'done';
  } catch (failure) {
    if (failure instanceof NetworkError) {
      return handleNetworkError(sending, failure, workKey);
    }
    if (failure instanceof AnswerStoppedError) {
      const { stopReason } = failure;
      await sending.recordFailed(
        failure.message,
        stopReason ? { outcome: 'STOPPED', stopReason } : { outcome: 'SUPERSEDED' },
      );

      return 'done';
    }
    throw failure;
  }
}

async function sendVia(account: SocialAccount, sending: Sending): Promise<void> {
  let isMarked = false;
  const { id } = await withMessagingToken(account, async (credentials) => {
    if (!isMarked) {
      await markSending(sending);
      isMarked = true;
    }

    return sending.send(credentials);
  });
  await sending.recordSent(id, account);
}

async function markSending(sending: Sending): Promise<void> {
  await write(
    ...((await sending.requirements?.()) ?? []),
    change(messageKey(sending), {
      set: { sendingAt: timestamp() },
      when: allOf(equals('status', 'PENDING'), absent('sendingAt')),
    }),
  );
}

function messageKey({ organizationId, message }: Pick<Sending, 'organizationId' | 'message'>): Key {
  return socialKeys.conversationMessage(organizationId, message.conversationId, message.id);
}

async function handleNetworkError(
  sending: Sending,
  failure: NetworkError,
  workKey: Key,
): Promise<WorkOutcome> {
  if (!failure.isSafeToRetry) {
    await sending.recordUnknown();

    return 'done';
  }

  return failure.isTransient ? tryAgain(sending, failure, workKey) : giveUp(sending, failure);
}

async function giveUp({ recordFailed }: Sending, { message }: NetworkError): Promise<'done'> {
  await recordFailed(message);

  return 'done';
}

/** The network confirmed that it did nothing. Clears `sendingAt` and retries later. */
async function tryAgain(
  sending: Sending,
  failure: NetworkError,
  workKey: Key,
): Promise<WorkOutcome> {
  const tries = await countTry(workKey, 'networkTries');
  if (tries >= maxTries) {
    return giveUp(sending, failure);
  }
  await write(
    change(messageKey(sending), {
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
