import type { Message, StoredAttachment } from '#lib/features/conversations/conversation.ts';
import { planSentClaim } from '#lib/features/conversations/messages/messages.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { Channel } from '#schemas/platforms.ts';
import { recordMessageSent, textNotSent } from './message-outcome.ts';

type Account = Pick<SocialAccount, 'organizationId' | 'id' | 'platform'>;

/**
 * Records that the network has the file of a message, and claims the sending of its text. Returns
 * false if the message was resolved in the meantime, because then the text must not be sent.
 */
export function claimText(account: Account, message: Message, fileId: string): Promise<boolean> {
  return writeIfMet(
    change(keyOf(account, message), {
      set: { attachments: withFileId(message, fileId), sendingAt: timestamp() },
      when: equals('status', 'PENDING'),
    }),
    planSentClaim(account.organizationId, message, fileId),
  );
}

/**
 * Records the echo of a message's file. If the outcome was unknown, the text was certainly not
 * sent, because it is sent only after the file is confirmed.
 */
export async function recordFileEcho(
  account: Account,
  sent: Message,
  channel: Channel,
  fileId: string,
): Promise<void> {
  const key = keyOf(account, sent);
  await retryWhenOvertaken('message', async () => {
    const message = await get<Message>(key);
    if (!message?.attachments) {
      return;
    }
    const { text, status, sendingAt } = message;
    if (text === '') {
      await recordMessageSent(account, message, channel, fileId);

      return;
    }
    const isTextMissing = status === 'UNKNOWN' && sendingAt === undefined;
    await write(
      change(key, {
        set: {
          attachments: withFileId(message, fileId),
          ...(isTextMissing ? { status: 'FAILED', failureReason: textNotSent } : {}),
        },
        when: allOf(equals('status', status), unchanged('sendingAt', sendingAt)),
      }),
      planSentClaim(account.organizationId, message, fileId),
    );
  });
}

function keyOf({ organizationId }: Account, { conversationId, id }: Message) {
  return socialKeys.conversationMessage(organizationId, conversationId, id);
}

function withFileId({ attachments = [] }: Message, fileId: string): readonly StoredAttachment[] {
  return attachments.map((attachment) => ({ ...attachment, networkMessageId: fileId }));
}
