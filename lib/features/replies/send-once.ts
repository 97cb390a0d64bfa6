import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { Message } from '#lib/features/social/conversations/conversation.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { secondMs, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, equals } from '#lib/platform/db/conditions.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import type { Credentials, Network, Sent } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';

const firstWaitMs = 5 * secondMs;
const longestWaitMs = 600 * secondMs;
/** Delays of 5, 10, 20 and 40 seconds, or as long as the network asks for. */
const maxTries = 5;

type StoredMessage = Pick<Message, 'conversationId' | 'id'>;

/** How a stored message is sent, and how each outcome is recorded. */
export type Sending = {
  readonly account: SocialAccount;
  readonly message: StoredMessage;
  /** Marks the message as being sent, or throws. */
  readonly arm: () => Promise<void>;
  readonly send: (network: Network, credentials: Credentials) => Promise<Sent>;
  readonly recordSent: (networkMessageId: string) => Promise<void>;
  readonly recordFailed: (reason: string) => Promise<void>;
  readonly recordUnknown: () => Promise<void>;
};

/** Marks a pending message as being sent. From then on it is never sent again. */
export function planArmed(organizationId: string, { conversationId, id }: StoredMessage): Write {
  return change(keys.conversationMessage(organizationId, conversationId, id), {
    set: { sendingAt: timestamp() },
    when: allOf(equals('status', 'PENDING'), absent('sendingAt')),
  });
}

/**
 * Sends a message and records the outcome. Before sending, the message is armed. From then on it is
 * never sent again, unless the network confirms that it did nothing.
 */
export async function sendOnce(sending: Sending, workKey: Key): Promise<WorkOutcome> {
  let isArmed = false;
  try {
    const { id } = await withMessagingToken(sending.account, async (network, credentials) => {
      if (!isArmed) {
        await sending.arm();
        isArmed = true;
      }

      return sending.send(network, credentials);
    });
    await sending.recordSent(id);

    return 'done';
  } catch (failure) {
    if (!(failure instanceof NetworkError)) {
      throw failure;
    }

    return handleNetworkError(sending, failure, workKey);
  }
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
  const { account, message } = sending;
  const tries = await countTry(workKey, 'networkTries');
  if (tries >= maxTries) {
    return giveUp(sending, failure);
  }
  await write(
    change(keys.conversationMessage(account.organizationId, message.conversationId, message.id), {
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
