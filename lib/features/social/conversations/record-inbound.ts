import { planAccountEvent } from '#lib/features/social/accounts/account-webhook.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { writeUnlessTaken } from '#lib/platform/db/write-if-met.ts';
import { newId } from '#lib/platform/ids.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { NormalisedEvent, SentFile } from '#lib/vendors/networks/network.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import type { Channel } from '#schemas/platforms.ts';
import { withUnanswered } from './attention.ts';
import {
  type Conversation,
  isNamed,
  type Message,
  presentConversation,
  type StoredAttachment,
} from './conversation.ts';
import { handedBack, planConversationChange } from './conversations.ts';
import { findConversationOf, planMessage } from './messages.ts';
import { newConversation, planConversation } from './new-conversation.ts';
import { planConsentChange, planSameOptOut, readConsent, withOptOut } from './opt-out.ts';
import { planRecentText } from './recent-texts.ts';

/** Returns the event's time, or now if it is invalid, in the future or before 1970. */
export function timeOf({ occurredAt }: NormalisedEvent): string {
  const [now, said] = [timestamp(), Date.parse(occurredAt)];

  return said >= 0 && said <= Date.parse(now) ? new Date(said).toISOString() : now;
}

function windowAfter({ platform, channel }: Conversation, writtenAt: string): string | undefined {
  const { replyWindowHours } = capabilities[platform];

  return channel === 'DIRECT_MESSAGE' && replyWindowHours !== null
    ? new Date(Date.parse(writtenAt) + replyWindowHours * hourMs).toISOString()
    : undefined;
}

export type Inbound = NormalisedEvent & { readonly type: keyof typeof topics };

export function isInbound(event: NormalisedEvent): event is Inbound {
  return event.type in topics;
}

/** Applies a customer's message to a conversation. Older messages only set `updatedAt`. */
function withInbound(
  conversation: Conversation,
  message: Message,
  customer: NormalisedEvent['from'],
): Conversation {
  const { lastInboundAt = '', lastInboundMessageId = '' } = conversation;
  const isLater =
    message.createdAt > lastInboundAt ||
    (message.createdAt === lastInboundAt && message.id > lastInboundMessageId);
  if (!isLater) {
    return { ...withUnanswered(conversation, message), updatedAt: timestamp() };
  }
  const windowExpiresAt = windowAfter(conversation, message.createdAt);
  const isRenamed = isNamed(customer) && customer.name !== conversation.customer.name;

  return {
    ...withUnanswered(
      conversation.status === 'CLOSED' ? handedBack(conversation) : conversation,
      message,
    ),
    ...(isRenamed ? { customer: { ...conversation.customer, ...customer } } : {}),
    lastInboundAt: message.createdAt,
    lastInboundMessageId: message.id,
    ...(windowExpiresAt === undefined ? {} : { windowExpiresAt }),
    updatedAt: timestamp(),
  };
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
    const [known, consent] = await Promise.all([
      findConversationOf(organizationId, accountId, channel, customer.id),
      readConsent({ organizationId, accountId, customer }, { text: event.text, isPrivate }),
    ]);
    const before =
      known ?? withOptOut(newConversation({ account, channel, customer }), consent.optOut);
    const message = inboundMessage(before, event, messageId);
    const changed = await planConsentChange(
      withInbound(before, message, customer),
      message,
      consent,
    );
    const { conversation: after, writes: consentWrites, isConfirmed } = changed;
    const isSame = known !== undefined || consentWrites.length > 0;
    const conversationWrites = known
      ? planConversationChange(known, after)
      : [
          ...planConversation(after),
          ...(isSame ? [] : [await planSameOptOut(before, consent.optOut)]),
        ];
    const told = [
      ...(await planReceivedEvent(account, event, message, channel)),
      ...(known ? [] : await planCreatedEvent(after)),
    ];
    const planning = planWork('replyPlanning', {
      owner: keys.conversation(organizationId, before.id),
      payload: { organizationId, conversationId: before.id, messageId },
      workId: messageId,
      group: before.id,
    });
    await writeUnlessTaken(planMessage(organizationId, message, isConfirmed ? 2 : 1), [
      ...(message.text.trim() === '' ? [] : [planRecentText(organizationId, message)]),
      ...conversationWrites,
      ...consentWrites,
      ...told,
      planning,
      ...planFetches(before, message, !known),
    ]);
  });
}

/** Plans what is fetched from the network, so that it never delays an answer. */
function planFetches(
  { organizationId, id: conversationId, platform, channel, customer }: Conversation,
  { id: messageId, attachments }: Message,
  isNew: boolean,
): readonly Write[] {
  const owner = keys.conversation(organizationId, conversationId);
  const isAsked =
    isNew && channel === 'DIRECT_MESSAGE' && !isNamed(customer) && networkOf(platform).fetchProfile;

  return [
    ...(attachments ? [planAttachmentWork(organizationId, { conversationId, id: messageId })] : []),
    ...(isAsked
      ? [planWork('customerProfile', { owner, payload: { organizationId, conversationId } })]
      : []),
  ];
}

/** Plans to store the files of a message, or to remove those of a withdrawn one. */
export function planAttachmentWork(
  organizationId: string,
  { conversationId, id: messageId }: Pick<Message, 'conversationId' | 'id'>,
): Write {
  return planWork('attachments', {
    owner: keys.conversation(organizationId, conversationId),
    payload: { organizationId, conversationId, messageId },
  });
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
  { type, from: customer }: Inbound,
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
      customer,
      text,
      platformPostId: platformPostId ?? null,
      createdAt,
    },
  });
}

function inboundMessage(
  { id, accountId }: Conversation,
  event: NormalisedEvent,
  messageId: string,
): Message {
  const { type, text, platformPostId, parentId, attachments = [] } = event;

  return {
    id: messageId,
    conversationId: id,
    accountId,
    direction: 'IN',
    author: 'CUSTOMER',
    type,
    text,
    status: 'RECEIVED',
    networkMessageId: event.messageId,
    ...(platformPostId === undefined ? {} : { platformPostId }),
    ...(parentId === undefined ? {} : { parentId }),
    ...(attachments.length > 0 ? { attachments: attachments.map(storedAttachment) } : {}),
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
