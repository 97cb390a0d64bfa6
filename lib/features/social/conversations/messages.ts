import { equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, create, type Write } from '#lib/platform/db/write.ts';
import type { Conversation, Message } from './conversation.ts';

/** The message has been recorded before: by another delivery, or on another way. */
export class AlreadyRecorded extends Error {}

/** Which message of ours a network's own id means. */
export type NetworkMessage = { readonly conversationId: string; readonly messageId: string };

/** A message and, where the network's id is known, its claim. Refused where it is there already. */
export function planMessage(organizationId: string, message: Message): readonly Write[] {
  const { id, conversationId, accountId, networkMessageId } = message;
  const refused = () => new AlreadyRecorded();

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
  ];
}

/** A message that did not go out is to be sent again. */
export function planAnew(
  organizationId: string,
  { conversationId, id }: Pick<Message, 'conversationId' | 'id'>,
): Write {
  return change(keys.conversationMessage(organizationId, conversationId, id), {
    set: { status: 'PENDING', failureReason: null },
    when: equals('status', 'FAILED'),
  });
}

/** The message of this id, if there is one. */
export function findMessage(
  { organizationId, id: conversationId }: Conversation,
  messageId: string,
): Promise<Message | undefined> {
  return get<Message>(keys.conversationMessage(organizationId, conversationId, messageId));
}

/** The message that has a network's own id, if it is known here. */
export function findNetworkMessage(
  organizationId: string,
  accountId: string,
  networkMessageId: string,
): Promise<NetworkMessage | undefined> {
  return get<NetworkMessage>(keys.networkMessage(organizationId, accountId, networkMessageId));
}

/** The conversation that a customer has on a channel of an account, if there is one. */
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
