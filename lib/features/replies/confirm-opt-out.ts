import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { awaitSilence } from '#lib/features/social/conversations/await-silence.ts';
import type { Conversation, Message } from '#lib/features/social/conversations/conversation.ts';
import { findConversation } from '#lib/features/social/conversations/conversations.ts';
import {
  lostOutcome,
  recordMessageNotSent,
  recordMessageSent,
} from '#lib/features/social/conversations/message-outcome.ts';
import { findMessage } from '#lib/features/social/conversations/messages.ts';
import { listConversationsOf } from '#lib/features/social/conversations/opt-out.ts';
import { sendMessage } from '#lib/features/social/conversations/send-message.ts';
import { secondMs } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys.ts';
import { write } from '#lib/platform/db/write.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import { planArmed, sendOnce } from './send-once.ts';

type Confirmation = {
  readonly organizationId: string;
  readonly conversationId: string;
  readonly messageId: string;
};

/**
 * Sends the stored confirmation of an opt-out, once. An agent's reply that was being sent when the
 * customer opted out is waited for, so that none follows the confirmation.
 */
export async function confirmOptOut(
  { organizationId, conversationId, messageId }: Confirmation,
  workKey: Key,
): Promise<WorkOutcome> {
  const conversation = await findConversation(organizationId, conversationId);
  if (!conversation) {
    return 'done';
  }
  const [message, account, conversations] = await Promise.all([
    findMessage(conversation, messageId),
    findSocialAccount(organizationId, conversation.accountId),
    listConversationsOf(conversation),
  ]);
  if (message?.status !== 'PENDING') {
    return 'done';
  }
  if (message.sendingAt !== undefined) {
    await recordMessageNotSent(organizationId, message, 'UNKNOWN', lostOutcome);

    return 'done';
  }
  if (!account) {
    const reason = 'The social account has been disconnected';
    await recordMessageNotSent(organizationId, message, 'FAILED', reason);

    return 'done';
  }
  const silent = await Promise.all(conversations.map(({ id }) => awaitSilence(organizationId, id)));

  return silent.every(Boolean)
    ? send({ account, conversation, message }, workKey)
    : { againInMs: secondMs };
}

function send(
  {
    account,
    conversation,
    message,
  }: {
    readonly account: SocialAccount;
    readonly conversation: Conversation;
    readonly message: Message;
  },
  workKey: Key,
): Promise<WorkOutcome> {
  const { organizationId, channel } = conversation;

  return sendOnce(
    {
      account,
      message,
      arm: async () => {
        await write(planArmed(organizationId, message));
      },
      send: (network, credentials) =>
        sendMessage(network, credentials, conversation, message, undefined),
      recordSent: (networkMessageId) =>
        recordMessageSent(account, message, channel, networkMessageId),
      recordFailed: (reason) => recordMessageNotSent(organizationId, message, 'FAILED', reason),
      recordUnknown: () => recordMessageNotSent(organizationId, message, 'UNKNOWN', lostOutcome),
    },
    workKey,
  );
}
