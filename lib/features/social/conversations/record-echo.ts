import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { minuteMs } from '#lib/platform/clock.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { write } from '#lib/platform/db/write.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import type { Conversation, Message } from './conversation.ts';
import {
  findConversation,
  listLatestMessages,
  planConversationChange,
  takenOver,
} from './conversations.ts';
import {
  AlreadyRecorded,
  findConversationOf,
  findNetworkMessage,
  planMessage,
} from './messages.ts';
import { newConversation, planConversation } from './new-conversation.ts';
import { timeOf } from './record-inbound.ts';
import { findTaggedMessage, settleAsSent } from './sent-messages.ts';

/** `undecided`: it may be of a message whose sending has not been answered yet. */
export type EchoOutcome = 'recorded' | 'undecided';

/** A message of ours is answered within seconds; after so long, one that waits was lost. */
const pendingMs = minuteMs;
const lookedThrough = 50;

/**
 * Takes what the account itself is said to have written. What this service sent is recognised: by
 * the tag that was sent along, by the network's id, or by its words where the network's answer has
 * not been recorded yet. Anything else was written by a person elsewhere, who thereby has the
 * conversation: the agent is silent from then on.
 */
export async function recordEcho(
  account: SocialAccount,
  event: NormalisedEvent,
  messageId: string,
  mayWait: boolean,
): Promise<EchoOutcome> {
  const { organizationId, id: accountId } = account;
  const [tagged, known, conversation] = await Promise.all([
    event.echoTag ? findTaggedMessage(organizationId, event.echoTag) : undefined,
    findNetworkMessage(organizationId, accountId, event.messageId),
    findEchoedConversation(account, event),
  ]);
  if (known) {
    return 'recorded';
  }
  if (tagged?.direction === 'OUT') {
    await settleAsSent(account, tagged, event.channel, event.messageId);

    return 'recorded';
  }
  const sent = conversation ? await findSent(conversation, event) : 'none';
  if (sent === 'undecided' && mayWait) {
    return 'undecided';
  }
  if (typeof sent === 'object') {
    await settleAsSent(account, sent, event.channel, event.messageId);

    return 'recorded';
  }
  await recordTakeover(account, event, messageId);

  return 'recorded';
}

/** The conversation that an echo is of: of the customer whom it went to, or whom it answered. */
async function findEchoedConversation(
  { organizationId, id: accountId }: SocialAccount,
  { channel, to, parentId }: NormalisedEvent,
): Promise<Conversation | undefined> {
  if (to) {
    return findConversationOf(organizationId, accountId, channel, to.id);
  }
  const parent = parentId && (await findNetworkMessage(organizationId, accountId, parentId));

  return parent ? findConversation(organizationId, parent.conversationId) : undefined;
}

/** Networks shorten links and trim: what is left of a text must be the same. */
function wordsOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/https?:\/\/\S+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The message of ours that an echo is of, among those whose outcome is not known for good. */
async function findSent(
  { organizationId, id }: Conversation,
  event: NormalisedEvent,
): Promise<Message | 'undecided' | 'none'> {
  const messages = await listLatestMessages(organizationId, id, lookedThrough);
  const open = messages.filter(({ status }) => status === 'PENDING' || status === 'UNKNOWN');
  const match = open.find(({ text }) => wordsOf(text) === wordsOf(event.text));
  if (match) {
    return match;
  }
  const writtenAt = Date.parse(timeOf(event));
  const isAnyOnItsWay = open.some(
    ({ status, createdAt }) =>
      status === 'PENDING' && Math.abs(writtenAt - Date.parse(createdAt)) < pendingMs,
  );

  return isAnyOnItsWay ? 'undecided' : 'none';
}

/** A comment of the account's that answers nobody takes nothing over. */
async function recordTakeover(
  account: SocialAccount,
  event: NormalisedEvent,
  messageId: string,
): Promise<void> {
  try {
    await retryWhenOvertaken('conversation', async () => {
      const known = await findEchoedConversation(account, event);
      const { to: customer, channel } = event;
      const before = known ?? (customer && newConversation({ account, channel, customer }));
      if (!before) {
        return;
      }
      const after = takenOver(before);
      await write(
        ...planMessage(account.organizationId, personsMessage(before, event, messageId)),
        ...(known ? planConversationChange(known, after) : planConversation(after)),
      );
    });
  } catch (failure) {
    if (!(failure instanceof AlreadyRecorded)) {
      throw failure;
    }
  }
}

function personsMessage(
  { id, accountId }: Conversation,
  event: NormalisedEvent,
  messageId: string,
): Message {
  return {
    id: messageId,
    conversationId: id,
    accountId,
    direction: 'OUT',
    author: 'HUMAN',
    type: event.type,
    text: event.text,
    status: 'SENT',
    networkMessageId: event.messageId,
    ...(event.platformPostId === undefined ? {} : { platformPostId: event.platformPostId }),
    ...(event.parentId === undefined ? {} : { parentId: event.parentId }),
    createdAt: timeOf(event),
  };
}
