import { accountEvent } from '#lib/features/social/accounts/account-webhook.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { differs, equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, put, type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import type { Channel } from '#schemas/platforms.ts';
import type { Message } from './conversation.ts';
import type { NetworkMessage } from './messages.ts';

type Account = Pick<SocialAccount, 'organizationId' | 'id' | 'platform'>;

/** What is sent along with a message, and comes back with its echo where the network does so. */
export function echoTagOf({ conversationId, id }: Pick<Message, 'conversationId' | 'id'>): string {
  return `${conversationId}/${id}`;
}

/** The message that an echo's tag names, whoever wrote the tag; `undefined` for any other text. */
export async function findTaggedMessage(
  organizationId: string,
  echoTag: string,
): Promise<Message | undefined> {
  const [conversationId = '', messageId = '', ...rest] = echoTag.split('/');
  if (rest.length > 0 || !conversationId || !messageId) {
    return undefined;
  }

  return get<Message>(keys.conversationMessage(organizationId, conversationId, messageId));
}

/**
 * Records that the network has a message of ours, by what it answered or by its echo, whichever
 * comes first: that one tells the account's receiver. An outcome that was not known is known now.
 */
export async function settleAsSent(
  account: Account,
  message: Message,
  channel: Channel,
  networkMessageId: string,
  alongside: readonly Write[] = [],
): Promise<void> {
  const { organizationId } = account;
  const { id: messageId, conversationId, author, text } = message;
  const key = keys.conversationMessage(organizationId, conversationId, messageId);
  const claim: NetworkMessage = { conversationId, messageId };
  const sentAt = timestamp();
  const told = await accountEvent(account, {
    type: 'message.sent',
    data: { channel, conversationId, messageId, author, text, sentAt },
  });
  await writeUnless(
    [
      change(key, {
        set: { status: 'SENT', networkMessageId, failureReason: null },
        when: differs('status', 'SENT'),
      }),
      put(keys.networkMessage(organizationId, account.id, networkMessageId), claim),
      ...told,
    ],
    alongside,
  );
}

/** Writes the rest alone where the message has been settled before. */
async function writeUnless(writes: readonly Write[], alongside: readonly Write[]): Promise<void> {
  if (!(await writeIfMet(...writes, ...alongside))) {
    await write(...alongside);
  }
}

/** Records that a message that was waiting did not go out, or that nobody knows. */
export async function settleAs(
  organizationId: string,
  message: Message,
  status: 'FAILED' | 'UNKNOWN',
  failureReason: string,
  alongside: readonly Write[] = [],
): Promise<void> {
  const key = keys.conversationMessage(organizationId, message.conversationId, message.id);
  const set = { status, failureReason };
  // Where the echo was faster, it knows better.
  await writeUnless([change(key, { set, when: equals('status', 'PENDING') })], alongside);
}

export const lostOutcome = 'The network did not say what became of it';

/** A message that was being sent when its function died: nobody knows whether it went out. */
export async function settleLostMessage({ payload }: WorkRequest): Promise<'done'> {
  const { organizationId, conversationId, messageId }: LostMessage = JSON.parse(payload);
  const key = keys.conversationMessage(organizationId, conversationId, messageId);
  const message = await get<Message>(key);
  if (message?.status === 'PENDING') {
    await settleAs(organizationId, message, 'UNKNOWN', lostOutcome);
  }

  return 'done';
}

export type LostMessage = {
  readonly organizationId: string;
  readonly conversationId: string;
  readonly messageId: string;
};
