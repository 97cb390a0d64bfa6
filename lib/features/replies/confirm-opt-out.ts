import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { findConversation } from '#lib/features/conversations/conversations.ts';
import { listConversationsOf } from '#lib/features/conversations/inbound/opt-out.ts';
import { findMessage } from '#lib/features/conversations/messages/messages.ts';
import { awaitSilence } from '#lib/features/conversations/outbound/await-silence.ts';
import {
  lostOutcome,
  recordMessageNotSent,
  recordMessageSent,
} from '#lib/features/conversations/outbound/message-outcome.ts';
import { sendMessage } from '#lib/features/conversations/outbound/send-message.ts';
import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { secondMs } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import type { PlannedConfirmation } from '#schemas/work-payloads.ts';
import { sendOnce } from './send-once.ts';

/**
 * Sends the stored confirmation of an opt-out, once. Waits for an agent's reply that was being sent
 * when the customer opted out, so that no reply follows the confirmation.
 */
export async function confirmOptOut(
  { organizationId, conversationId, messageId }: PlannedConfirmation,
  workKey: Key,
): Promise<WorkOutcome> {
  const conversation = await findConversation(organizationId, conversationId);
  if (!conversation) {
    return 'done';
  }
  const [message, account, conversations] = await Promise.all([
    findMessage(conversation, messageId),
    findSocialAccount(organizationId, conversation.socialAccountId),
    listConversationsOf(conversation),
  ]);
  if (!message) {
    return 'done';
  }
  const isUnsent = message.status === 'PENDING' && message.sendingAt === undefined;
  if (isUnsent && account && !(await areSilent(conversations))) {
    return { againInMs: secondMs };
  }

  return sendOnce(
    {
      organizationId,
      message,
      account,
      send: (credentials) => sendMessage(credentials, conversation, message, undefined),
      recordSent: (networkMessageId, sender) =>
        recordMessageSent(sender, message, conversation.channel, networkMessageId),
      recordFailed: (reason) => recordMessageNotSent(organizationId, message, 'FAILED', reason),
      recordUnknown: () => recordMessageNotSent(organizationId, message, 'UNKNOWN', lostOutcome),
    },
    workKey,
  );
}

async function areSilent(conversations: readonly Conversation[]): Promise<boolean> {
  const silent = await Promise.all(
    conversations.map(({ organizationId, id }) => awaitSilence(organizationId, id)),
  );

  return silent.every(Boolean);
}
