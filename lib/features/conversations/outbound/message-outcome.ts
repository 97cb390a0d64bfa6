import { isFileSent, type Message } from '#lib/features/conversations/conversation.ts';
import { planSentClaim } from '#lib/features/conversations/messages/messages.ts';
import { planAnsweredByPerson } from '#lib/features/conversations/waiting.ts';
import { planAccountEvent } from '#lib/features/social/accounts/account-events.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { allOf, differs, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { Channel } from '#schemas/platforms.ts';

type Account = Pick<SocialAccount, 'organizationId' | 'id' | 'platform'>;

/**
 * Records that the network has one of our messages. Called with the send result and with the echo.
 * The first call notifies the account's webhook receiver. Also resolves an unknown outcome.
 */
export async function recordMessageSent(
  account: Account,
  message: Message,
  channel: Channel,
  networkMessageId: string,
  extraWrites: readonly Write[] = [],
): Promise<void> {
  const { organizationId } = account;
  const { id: messageId, conversationId, author, text } = message;
  const key = socialKeys.conversationMessage(organizationId, conversationId, messageId);
  const sentAt = timestamp();
  const event = await planAccountEvent(account, {
    type: 'message.sent',
    data: { channel, conversationId, messageId, author, text, sentAt },
  });
  await writeUnless(
    [
      change(key, {
        set: { status: 'SENT', networkMessageId, failureReason: null },
        when: differs('status', 'SENT'),
      }),
      planSentClaim(organizationId, message, networkMessageId),
      ...event,
      ...(author === 'HUMAN' ? planAnsweredByPerson(organizationId, conversationId) : []),
    ],
    extraWrites,
  );
}

/** Writes only `extraWrites` if the message was already resolved. */
async function writeUnless(writes: readonly Write[], extraWrites: readonly Write[]): Promise<void> {
  if (!(await writeIfMet(...writes, ...extraWrites))) {
    await write(...extraWrites);
  }
}

/** Records that a pending message failed, or that its outcome is unknown. */
export async function recordMessageNotSent(
  organizationId: string,
  message: Message,
  status: 'FAILED' | 'UNKNOWN',
  failureReason: string,
  extraWrites: readonly Write[] = [],
): Promise<void> {
  const key = socialKeys.conversationMessage(organizationId, message.conversationId, message.id);
  const set = { status, failureReason };
  // Does nothing if the echo has already confirmed the message.
  await writeUnless([change(key, { set, when: equals('status', 'PENDING') })], extraWrites);
}

export const lostOutcome = 'The network did not confirm the result';
const lostFile = 'The network did not confirm the file. The text was not sent';
export const textNotSent = 'The file was sent. The text was not';

type Lost = Required<Pick<Message, 'status' | 'failureReason'>>;

/** The text of a message with a file is not sent before the network has confirmed the file. */
function lostResultOf(message: Message): Lost {
  const { text, attachments = [], sendingAt } = message;
  if (attachments.length === 0 || text === '' || sendingAt !== undefined) {
    return { status: 'UNKNOWN', failureReason: lostOutcome };
  }

  return isFileSent(message)
    ? { status: 'FAILED', failureReason: textNotSent }
    : { status: 'UNKNOWN', failureReason: lostFile };
}

/** Records that the result of a pending message is unknown. Returns the message. */
export function recordMessageLost(
  organizationId: string,
  { conversationId, id }: Pick<Message, 'conversationId' | 'id'>,
  extraWrites: readonly Write[] = [],
): Promise<Message | undefined> {
  const key = socialKeys.conversationMessage(organizationId, conversationId, id);

  return retryWhenOvertaken('message', async () => {
    const message = await get<Message>(key);
    if (message?.status !== 'PENDING') {
      await write(...extraWrites);

      return message;
    }
    const result = lostResultOf(message);
    const { status, attachments } = message;
    const when = allOf(equals('status', status), unchanged('attachments', attachments));
    await write(change(key, { set: result, when }), ...extraWrites);

    return { ...message, ...result };
  });
}
