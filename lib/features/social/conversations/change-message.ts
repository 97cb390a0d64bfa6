import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, discard, type Write, write } from '#lib/platform/db/write.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import type { Conversation, Message } from './conversation.ts';
import { findConversation, listLatestMessages, planConversationChange } from './conversations.ts';
import { findMessage, findNetworkMessage } from './messages.ts';
import { planRecentText, recentTextKey } from './recent-texts.ts';
import { planAttachmentWork, timeOf } from './record-inbound.ts';

const messagesChecked = 20;

/** Applies a sender's edit or withdrawal to a recorded message. Idempotent. */
export async function changeMessage(
  { organizationId, id: accountId }: SocialAccount,
  event: NormalisedEvent,
  action: 'edit' | 'withdraw',
): Promise<void> {
  const known = await findNetworkMessage(organizationId, accountId, event.messageId);
  if (!known) {
    return;
  }
  await retryWhenOvertaken('message', async () => {
    const conversation = await findConversation(organizationId, known.conversationId);
    const message = conversation && (await findMessage(conversation, known.messageId));
    if (!message || message.deletedAt) {
      return;
    }
    const writes =
      action === 'edit'
        ? planEdit(organizationId, message, event.text)
        : await planWithdrawal(conversation, message, timeOf(event));
    await write(...writes);
  });
}

function planEdit(organizationId: string, message: Message, text: string): readonly Write[] {
  const key = keys.conversationMessage(organizationId, message.conversationId, message.id);
  const isRecent = message.direction === 'IN' && text.trim() !== '';

  return [
    change(key, { set: { text }, when: absent('deletedAt') }),
    ...(isRecent ? [planRecentText(organizationId, { ...message, text })] : []),
  ];
}

/**
 * Plans the removal of a message's content. A reply that is planned for this message alone is not
 * sent.
 */
export async function planWithdrawal(
  conversation: Conversation,
  message: Message,
  deletedAt: string,
): Promise<readonly Write[]> {
  const { organizationId, id } = conversation;
  const hasPlan = await isPlannedForItAlone(conversation, message);
  const { replyToken, replyDueAt, replyFrom, ...rest } = conversation;

  return [
    change(keys.conversationMessage(organizationId, id, message.id), {
      set: { text: '', attachments: null, pendingAction: null, deletedAt },
      when: absent('deletedAt'),
    }),
    discard(recentTextKey(organizationId, message.id)),
    ...(message.attachments ? [planAttachmentWork(organizationId, message)] : []),
    ...(hasPlan ? planConversationChange(conversation, { ...rest, updatedAt: timestamp() }) : []),
  ];
}

/** True if the pending reply answers no other message that is still there. */
async function isPlannedForItAlone(
  { organizationId, id, replyToken, replyFrom = '' }: Conversation,
  message: Message,
): Promise<boolean> {
  if (replyToken === undefined || message.id < replyFrom) {
    return false;
  }
  const latest = await listLatestMessages(organizationId, id, messagesChecked);

  return !latest.some(
    (one) =>
      one.direction === 'IN' &&
      one.id !== message.id &&
      one.id >= (replyFrom || message.id) &&
      one.deletedAt === undefined,
  );
}
