import { listLatestMessages } from '#lib/features/conversations/conversations.ts';
import { findConversationOf } from '#lib/features/conversations/messages/messages.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';

/** Customers tap a button soon or never, so only the latest messages are checked. */
const messagesChecked = 100;

/**
 * Returns the event with the reply of a tapped button as its text, if this service sent the button.
 * For any other button, the text stays the button's title, because the payload is for the app that
 * sent it.
 */
export async function withReplyOfButton(
  { organizationId, id: accountId }: SocialAccount,
  { tapped, ...event }: NormalisedEvent,
): Promise<NormalisedEvent> {
  if (tapped === undefined) {
    return event;
  }
  const { channel, from } = event;
  const conversation = await findConversationOf(organizationId, accountId, channel, from.id);
  const messages = conversation
    ? await listLatestMessages(organizationId, conversation.id, messagesChecked)
    : [];
  const isOwn = messages.some(({ buttons = [] }) =>
    buttons.some((button) => 'reply' in button && button.reply === tapped),
  );

  return isOwn ? { ...event, text: tapped } : event;
}
