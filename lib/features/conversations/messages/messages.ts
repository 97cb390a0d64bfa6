import {
  type Conversation,
  isFileSent,
  type Message,
} from '#lib/features/conversations/conversation.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError, type StoredItem } from '#lib/platform/db/failures.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import { listPage, type Page } from '#lib/platform/db/lists/list.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, count, create, discard, type Write, write } from '#lib/platform/db/write.ts';

/** Thrown when the message has already been recorded, for example by another delivery. */
export class MessageAlreadyRecordedError extends Error {}

export type NetworkMessage = { readonly conversationId: string; readonly messageId: string };

/** A change that the network reported before its message arrived. */
export type EarlyChange = {
  readonly withdrawnAt?: string;
  /** The work of the latest edit. It contains the new text. */
  readonly edit?: Key;
  readonly revision?: number;
  /** The time when the first change arrived. */
  readonly since?: string;
};

/**
 * The claim of a network's message id. It has no message yet if the network reported a change
 * first.
 */
export type MessageClaim = Partial<NetworkMessage> & EarlyChange;

/**
 * Writes and counts a message and claims its network id, if known. Fails with
 * `MessageAlreadyRecordedError` if either already exists.
 *
 * @param claim the claim that was read, if a change arrived before the message.
 * @param total the number of messages that the transaction adds to the conversation, because they
 * are counted together.
 */
export function planMessage(
  organizationId: string,
  message: Message,
  { claim, total = 1 }: { readonly claim?: MessageClaim | undefined; readonly total?: number } = {},
): readonly Write[] {
  const { id, conversationId, accountId, networkMessageId } = message;
  const onConditionFailed = () => new MessageAlreadyRecordedError();

  return [
    create(
      socialKeys.conversationMessage(organizationId, conversationId, id),
      message,
      onConditionFailed,
    ),
    ...(networkMessageId === undefined
      ? []
      : [
          planClaim(
            socialKeys.networkMessage(organizationId, accountId, networkMessageId),
            { conversationId, messageId: id },
            claim,
          ),
          ...(claim?.edit ? [discard(claim.edit)] : []),
        ]),
    count(socialKeys.messageCounter(organizationId, conversationId), { total }),
  ];
}

/** Fails with a conflict if another change arrived after the claim was read. */
function planClaim(key: Key, place: NetworkMessage, claim: MessageClaim | undefined): Write {
  const onConditionFailed = (stored: StoredItem | undefined) =>
    stored && stored.messageId === undefined
      ? new ConditionNotMetError(key, stored)
      : new MessageAlreadyRecordedError();
  if (!claim) {
    return create(key, place, onConditionFailed);
  }
  const { withdrawnAt, revision } = claim;

  return change(key, {
    set: { ...place, withdrawnAt: null, edit: null, revision: null, ...noExpiry },
    when: allOf(
      absent('messageId'),
      unchanged('withdrawnAt', withdrawnAt),
      unchanged('revision', revision),
    ),
    onConditionFailed,
  });
}

const noExpiry = { since: null, expiresAtSeconds: null };

/** Claims the network id of a message that this service sent. Does not fail. */
export function planSentClaim(
  organizationId: string,
  { accountId, id: messageId, conversationId }: Message,
  networkMessageId: string,
): Write {
  const place: NetworkMessage = { conversationId, messageId };

  return change(socialKeys.networkMessage(organizationId, accountId, networkMessageId), {
    set: { ...place, ...noExpiry },
    orCreate: true,
  });
}

/** Writes a message and its consequences. Returns false if it was recorded before. */
export async function writeMessageOnce(...writes: readonly Write[]): Promise<boolean> {
  try {
    await write(...writes);

    return true;
  } catch (failure) {
    if (failure instanceof MessageAlreadyRecordedError) {
      return false;
    }
    throw failure;
  }
}

/**
 * Marks a failed message as pending, so that it is sent again. If the network already has its file,
 * only the text is sent.
 */
export function planResend(organizationId: string, failed: Message): Write {
  const { conversationId, id, attachments } = failed;
  const sendingAt = isFileSent(failed) ? timestamp() : null;

  return change(socialKeys.conversationMessage(organizationId, conversationId, id), {
    set: { status: 'PENDING', failureReason: null, sendingAt },
    // In the meantime, the echo of the file may arrive.
    when: allOf(equals('status', 'FAILED'), unchanged('attachments', attachments)),
  });
}

/** Returns one page of a conversation's messages, newest first. */
export function listMessages(
  organizationId: string,
  conversationId: string,
  request: PageRequest,
): Promise<Page<Message>> {
  return listPage<Message>(
    socialRanges.conversationMessages(organizationId, conversationId),
    request,
    async () => {
      const counter = await get<{ total: number }>(
        socialKeys.messageCounter(organizationId, conversationId),
      );

      return counter?.total ?? 0;
    },
  );
}

export function findMessage(
  { organizationId, id: conversationId }: Conversation,
  messageId: string,
): Promise<Message | undefined> {
  return get<Message>(socialKeys.conversationMessage(organizationId, conversationId, messageId));
}

export function findMessageClaim(
  organizationId: string,
  accountId: string,
  networkMessageId: string,
): Promise<MessageClaim | undefined> {
  return get<MessageClaim>(socialKeys.networkMessage(organizationId, accountId, networkMessageId));
}

/** Returns the conversation and the key of a recorded message. */
export function placeOf(claim: MessageClaim | undefined): NetworkMessage | undefined {
  const { conversationId, messageId } = claim ?? {};

  return conversationId === undefined || messageId === undefined
    ? undefined
    : { conversationId, messageId };
}

export async function findConversationOf(
  organizationId: string,
  accountId: string,
  channel: string,
  customerId: string,
): Promise<Conversation | undefined> {
  const claim = await get<{ conversationId: string }>(
    socialKeys.conversationClaim(organizationId, accountId, channel, customerId),
  );

  return claim
    ? get<Conversation>(socialKeys.conversation(organizationId, claim.conversationId))
    : undefined;
}
