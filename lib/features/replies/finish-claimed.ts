import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { Message } from '#lib/features/social/conversations/conversation.ts';
import { findConversation } from '#lib/features/social/conversations/conversations.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import type { ClaimedWork, PrivateReplyClaim } from './claim-reply.ts';
import { deliverReply } from './deliver-reply.ts';
import {
  type ClaimedReply,
  recordReplyFailed,
  recordReplySent,
  recordReplyUnknown,
} from './record-outcome.ts';

type FoundReply = {
  readonly reply: ClaimedReply;
  /** Absent if the account was disconnected since. */
  readonly account: SocialAccount | undefined;
};

type Claimable = Omit<ClaimedWork, 'campaignId' | 'agentId' | 'template'>;

/** Returns the message of the work if it was claimed before. */
export async function findClaimed(work: Claimable): Promise<FoundReply | undefined> {
  const { organizationId, conversationId, messageId, replyId, way } = work;
  const inPrivate =
    way === 'privateReply'
      ? await get<PrivateReplyClaim>(
          keys.privateReplyClaim(organizationId, conversationId, messageId),
        )
      : undefined;
  const place = inPrivate?.conversationId ?? conversationId;
  const message = await get<Message>(keys.conversationMessage(organizationId, place, replyId));
  const { answer } = message ?? {};
  if (!message || !answer) {
    return undefined;
  }
  const [conversation, account] = await Promise.all([
    findConversation(organizationId, place),
    findSocialAccount(organizationId, message.accountId),
  ]);

  return conversation
    ? { account, reply: { conversation, message: { ...message, answer } } }
    : undefined;
}

/** Resumes after a crash. A reply that was being sent may have been sent. */
export async function finishClaimed(
  { reply, account }: FoundReply,
  workKey: Key,
): Promise<WorkOutcome> {
  const { status, sendingAt, networkMessageId = '' } = reply.message;
  if (status === 'SENT') {
    await recordReplySent(reply, networkMessageId);

    return 'done';
  }
  if (status !== 'PENDING') {
    return 'done';
  }
  if (sendingAt !== undefined) {
    await recordReplyUnknown(reply);

    return 'done';
  }
  if (account) {
    return deliverReply({ reply, account }, workKey);
  }
  await recordReplyFailed(reply, 'The social account has been disconnected');

  return 'done';
}
