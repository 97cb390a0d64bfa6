import {
  type Conversation,
  isNamed,
  type Message,
  presentConversation,
  type StoredAttachment,
} from '#lib/features/conversations/conversation.ts';
import { handedBack, planConversationChange } from '#lib/features/conversations/conversations.ts';
import { isReference, planCopies } from '#lib/features/conversations/messages/attachments.ts';
import { changedEarly } from '#lib/features/conversations/messages/change-message.ts';
import { timeOf } from '#lib/features/conversations/messages/event-time.ts';
import {
  findConversationOf,
  findMessageClaim,
  placeOf,
  planMessage,
  writeMessageOnce,
} from '#lib/features/conversations/messages/messages.ts';
import { planRecentText } from '#lib/features/conversations/messages/recent-texts.ts';
import { newConversation, planConversation } from '#lib/features/conversations/new-conversation.ts';
import { withUnanswered } from '#lib/features/conversations/waiting.ts';
import { planAccountEvent } from '#lib/features/social/accounts/account-events.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { definedFields } from '#lib/platform/compact.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { NormalisedEvent, Person, SentFile } from '#lib/vendors/networks/network.ts';
import { lookupsOf } from '#lib/vendors/networks/ports/lookups.ts';
import type { Channel } from '#schemas/platforms.ts';
import {
  listConversationsOf,
  planOptOutChange,
  planSameOptOut,
  readOptOut,
  withOptOut,
} from './opt-out.ts';
import { withoutStandIn } from './person.ts';

/** A private message opens the network's reply window, or extends it. */
function withWindow(conversation: Conversation, { createdAt }: Message): Conversation {
  const { platform, channel, windowExpiresAt = '' } = conversation;
  const { replyWindowHours } = capabilities[platform];
  if (channel !== 'DIRECT_MESSAGE' || replyWindowHours === null) {
    return conversation;
  }
  const closesAt = new Date(Date.parse(createdAt) + replyWindowHours * hourMs).toISOString();

  return closesAt > windowExpiresAt ? { ...conversation, windowExpiresAt: closesAt } : conversation;
}

export type Inbound = NormalisedEvent & { readonly type: keyof typeof topics };

export function isInbound(event: NormalisedEvent): event is Inbound {
  return event.type in topics;
}

/**
 * Applies a customer's message to a conversation. Older messages only add to the unanswered ones.
 * If a message was withdrawn before it arrived, only the customer's details are updated.
 */
function withInbound(before: Conversation, message: Message, customer: Person): Conversation {
  const { lastInboundAt = '', lastInboundMessageId = '' } = before;
  const isLater =
    message.createdAt > lastInboundAt ||
    (message.createdAt === lastInboundAt && message.id > lastInboundMessageId);
  const conversation = {
    ...withCustomer(withWindow(before, message), customer, isLater),
    updatedAt: timestamp(),
  };
  if (message.deletedAt !== undefined) {
    return conversation;
  }
  if (!isLater) {
    return withUnanswered(conversation, message);
  }

  return {
    ...withUnanswered(
      conversation.status === 'CLOSED' ? handedBack(conversation) : conversation,
      message,
    ),
    lastInboundAt: message.createdAt,
    lastInboundMessageId: message.id,
  };
}

/** Stores the event's details of the customer. An older event only adds missing details. */
function withCustomer(conversation: Conversation, person: Person, isLater: boolean): Conversation {
  const { customer } = conversation;
  const [known, said] = [withoutStandIn(customer), withoutStandIn(person)];
  const after = { ...customer, ...(isLater ? { ...known, ...said } : { ...said, ...known }) };

  return changesSomething(customer, after) ? { ...conversation, customer: after } : conversation;
}

/**
 * Records a customer's message and plans the work that decides who answers it. Creates the
 * conversation if needed. Idempotent: each message is recorded once, regardless of order and
 * retries.
 */
export async function recordInbound(
  account: SocialAccount,
  event: Inbound,
  messageId: string,
): Promise<void> {
  const { organizationId, id: accountId } = account;
  const { channel, from: customer } = event;
  await retryWhenOvertaken('conversation', async () => {
    const isPrivate = channel === 'DIRECT_MESSAGE' && event.type === 'message';
    const optOutFor = (text: string) =>
      readOptOut({ organizationId, socialAccountId: accountId, customer }, { text, isPrivate });
    const [known, claim, asked] = await Promise.all([
      findConversationOf(organizationId, accountId, channel, customer.id),
      findMessageClaim(organizationId, accountId, event.messageId),
      optOutFor(event.text),
    ]);
    if (placeOf(claim)) {
      return;
    }
    const begun = known ?? newConversation({ account, channel, customer });
    const message = await changedEarly(inboundMessage(begun, event, messageId), claim);
    const state = claim ? await optOutFor(message.text) : asked;
    const before = known ?? withOptOut(begun, state.optOut);
    const changed = await planOptOutChange(withInbound(before, message, customer), message, state);
    const { conversation: after, writes: optOutWrites, isConfirmed } = changed;
    const isSame = known !== undefined || optOutWrites.length > 0;
    const conversationWrites = known
      ? planConversationChange(known, after)
      : [
          ...planConversation(after),
          ...(isSame ? [] : [await planSameOptOut(before, state.optOut)]),
        ];
    const isSaid = message.deletedAt === undefined;
    const others = await Promise.all([
      isSaid ? planReceivedEvent(account, event, message, channel) : [],
      known ? [] : planCreatedEvent(after),
      planFetches(known, after, message),
    ]);
    await writeMessageOnce(
      ...planMessage(organizationId, message, { claim, total: isConfirmed ? 2 : 1 }),
      ...(message.text.trim() === '' ? [] : [planRecentText(organizationId, message)]),
      ...conversationWrites,
      ...optOutWrites,
      ...others.flat(),
      ...(isSaid ? [planPlanning(organizationId, message)] : []),
    );
  });
}

function planPlanning(organizationId: string, message: Message): Write {
  const { id: messageId, conversationId } = message;

  return planWork('replyPlanning', {
    owner: socialKeys.conversation(organizationId, conversationId),
    payload: { organizationId, conversationId, messageId },
    workId: messageId,
    group: conversationId,
  });
}

/** Plans later requests to the network, so that they never delay an answer. */
async function planFetches(
  before: Conversation | undefined,
  after: Conversation,
  message: Message,
): Promise<readonly Write[]> {
  const { organizationId, id: conversationId } = after;
  const owner = socialKeys.conversation(organizationId, conversationId);

  return [
    ...((message.attachments ?? []).some((one) => !isReference(one))
      ? [planCopies(organizationId, message)]
      : []),
    ...((await isNameMissing(before, after))
      ? [planWork('customerProfile', { owner, payload: { organizationId, conversationId } })]
      : []),
  ];
}

/** True if the customer's name must be looked up, or stored in other conversations too. */
async function isNameMissing(
  before: Conversation | undefined,
  after: Conversation,
): Promise<boolean> {
  const { platform, channel, customer } = after;
  if (before) {
    return isNamed(customer) && !isNamed(before.customer);
  }
  if (!lookupsOf(platform).fetchProfile) {
    return false;
  }
  const others = await listConversationsOf(after);

  return isNamed(customer)
    ? others.some((other) => !isNamed(other.customer))
    : channel === 'DIRECT_MESSAGE' || others.some((other) => isNamed(other.customer));
}

function planCreatedEvent(conversation: Conversation) {
  return planOrganizationEvent(conversation.organizationId, {
    type: 'conversation.created',
    data: { conversationId: conversation.id, conversation: presentConversation(conversation) },
  });
}

const topics = {
  message: 'messages',
  comment: 'comments',
  mention: 'mentions',
  post: 'posts',
} as const;

function planReceivedEvent(
  account: SocialAccount,
  { type, from: { id, name } }: Inbound,
  { id: messageId, conversationId, text, createdAt, platformPostId }: Message,
  channel: Channel,
) {
  return planAccountEvent(account, {
    type: 'message.received',
    topic: topics[type],
    data: {
      channel,
      conversationId,
      messageId,
      customer: { id, name },
      text,
      platformPostId: platformPostId ?? null,
      createdAt,
    },
  });
}

function inboundMessage(
  { id, socialAccountId, answers, reads }: Conversation,
  event: NormalisedEvent,
  messageId: string,
): Message {
  const { type, text, platformPostId, parentId, attachments = [] } = event;

  return {
    id: messageId,
    conversationId: id,
    accountId: socialAccountId,
    direction: 'IN',
    author: 'CUSTOMER',
    type,
    text,
    status: 'RECEIVED',
    networkMessageId: event.messageId,
    ...(platformPostId === undefined ? {} : { platformPostId }),
    ...(parentId === undefined ? {} : { parentId }),
    ...(attachments.length > 0 ? { attachments: attachments.map(storedAttachment) } : {}),
    ...definedFields({ answers, reads }),
    createdAt: timeOf(event),
  };
}

function storedAttachment({ kind, url, mediaId }: SentFile): StoredAttachment {
  return {
    id: newId(),
    kind,
    ...(url === undefined ? {} : { sourceUrl: url }),
    ...(mediaId === undefined ? {} : { mediaId }),
  };
}
