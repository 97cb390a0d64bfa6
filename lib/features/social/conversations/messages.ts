import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { type Key, keys, ranges } from '#lib/platform/db/keys.ts';
import { listPage, type Page, type PageRequest } from '#lib/platform/db/list.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, count, create, type Write } from '#lib/platform/db/write.ts';
import { type Conversation, isFileSent, type Message } from './conversation.ts';
import { recentTextKey } from './recent-texts.ts';

/** Thrown when the message has already been recorded, by another delivery or in another way. */
export class MessageAlreadyRecordedError extends Error {}

export type NetworkMessage = { readonly conversationId: string; readonly messageId: string };

/**
 * Writes and counts a message and claims its network id, if known. Fails if either already exists.
 *
 * @param total how many messages the transaction adds to the conversation, which it counts together.
 */
export function planMessage(organizationId: string, message: Message, total = 1): readonly Write[] {
  const { id, conversationId, accountId, networkMessageId } = message;
  const refused = () => new MessageAlreadyRecordedError();

  return [
    create(keys.conversationMessage(organizationId, conversationId, id), message, refused),
    ...(networkMessageId === undefined
      ? []
      : [
          create(
            keys.networkMessage(organizationId, accountId, networkMessageId),
            { conversationId, messageId: id } satisfies NetworkMessage,
            refused,
          ),
        ]),
    count(keys.messageCounter(organizationId, conversationId), { total }),
  ];
}

/** Returns the keys of a message's claims and of its copy in the recent texts. */
export function claimsOfMessage(
  organizationId: string,
  { id, accountId, networkMessageId, attachments = [] }: Message,
): readonly Key[] {
  const networkIds = [networkMessageId, ...attachments.map((file) => file.networkMessageId)];

  return [
    recentTextKey(organizationId, id),
    ...networkIds.flatMap((networkId) =>
      networkId === undefined ? [] : [keys.networkMessage(organizationId, accountId, networkId)],
    ),
  ];
}

/**
 * Marks a failed message as pending, so that it is sent again. If the network has its file already,
 * only the text follows.
 */
export function planResend(organizationId: string, failed: Message): Write {
  const { conversationId, id, attachments } = failed;
  const sendingAt = isFileSent(failed) ? timestamp() : null;

  return change(keys.conversationMessage(organizationId, conversationId, id), {
    set: { status: 'PENDING', failureReason: null, sendingAt },
    // The echo of the file may arrive in the meantime.
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
    ranges.conversationMessages(organizationId, conversationId),
    request,
    async () => {
      const counter = await get<{ total: number }>(
        keys.messageCounter(organizationId, conversationId),
      );

      return counter?.total ?? 0;
    },
  );
}

export function findMessage(
  { organizationId, id: conversationId }: Conversation,
  messageId: string,
): Promise<Message | undefined> {
  return get<Message>(keys.conversationMessage(organizationId, conversationId, messageId));
}

export function findNetworkMessage(
  organizationId: string,
  accountId: string,
  networkMessageId: string,
): Promise<NetworkMessage | undefined> {
  return get<NetworkMessage>(keys.networkMessage(organizationId, accountId, networkMessageId));
}

export async function findConversationOf(
  organizationId: string,
  accountId: string,
  channel: string,
  customerId: string,
): Promise<Conversation | undefined> {
  const claim = await get<{ conversationId: string }>(
    keys.conversationClaim(organizationId, accountId, channel, customerId),
  );

  return claim
    ? get<Conversation>(keys.conversation(organizationId, claim.conversationId))
    : undefined;
}
