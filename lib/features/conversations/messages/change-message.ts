import type { Message } from '#lib/features/conversations/conversation.ts';
import { findConversation } from '#lib/features/conversations/conversations.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, epochSeconds, now, secondMs, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, unchanged } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, discard, write } from '#lib/platform/db/write.ts';
import type { OutboxItem } from '#lib/platform/work/outbox.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { inboundEventWork } from '#schemas/work-payloads.ts';
import { timeOf } from './event-time.ts';
import { planMessageChange, withdrawn } from './message-changes.ts';
import {
  findMessage,
  findMessageClaim,
  type MessageClaim,
  type NetworkMessage,
  placeOf,
} from './messages.ts';

/** A sender's edit or withdrawal of a message. */
type SendersChange = Pick<
  NormalisedEvent,
  'messageId' | 'action' | 'text' | 'revision' | 'occurredAt'
>;

/** Networks repeat an event for up to three days, so the message arrives by then or never. */
const arrivalMs = 3 * dayMs;
const rememberedDays = 30;
const firstWaitMs = 30 * secondMs;

/**
 * Applies a sender's edit or withdrawal. Idempotent, in any order: a withdrawal always wins, and of
 * several edits the one with the highest revision. An edit without a text is ignored. If the
 * message has not arrived, the change is stored for it and tried again, because our own message can
 * be recorded later than its change.
 */
export function changeMessage(
  { organizationId, id: accountId }: Pick<SocialAccount, 'organizationId' | 'id'>,
  event: SendersChange,
  workKey: Key,
): Promise<WorkOutcome> {
  return retryWhenOvertaken<WorkOutcome>('message', async () => {
    const isEmptyEdit = event.action === 'edit' && event.text.trim() === '';
    if (isEmptyEdit) {
      return 'done';
    }
    const claim = await findMessageClaim(organizationId, accountId, event.messageId);
    const place = placeOf(claim);
    if (place) {
      await applyChange(organizationId, place, event);

      return 'done';
    }
    const key = socialKeys.networkMessage(organizationId, accountId, event.messageId);

    return rememberChange(key, claim, event, workKey);
  });
}

async function applyChange(
  organizationId: string,
  { conversationId, messageId }: NetworkMessage,
  event: SendersChange,
): Promise<void> {
  const conversation = await findConversation(organizationId, conversationId);
  const before = conversation && (await findMessage(conversation, messageId));
  const after = before && changedBy(before, event);
  if (conversation && before && after && after !== before) {
    await write(...(await planMessageChange(conversation, before, after)));
  }
}

/** Returns the same message if the change is outdated. */
export function changedBy(message: Message, event: SendersChange): Message {
  if (message.deletedAt !== undefined) {
    return message;
  }
  if (event.action === 'withdraw') {
    return withoutPart(message, event);
  }
  const { text } = event;
  const [revision, known = revision] = [revisionOf(event), message.revision];
  const isOutdated = revision < known || (revision === message.revision && text === message.text);

  return isOutdated ? message : { ...message, text, revision };
}

/** The number of an edit, or its time if the network does not count them. */
function revisionOf(event: SendersChange): number {
  return event.revision ?? Date.parse(timeOf(event));
}

/** At the network, the file and the text of a reply are two messages. */
function withoutPart(message: Message, event: SendersChange): Message {
  const { attachments = [], text } = message;
  const files = attachments.filter(({ networkMessageId }) => networkMessageId !== event.messageId);
  if (files.length < attachments.length && text !== '') {
    const { attachments: _, ...rest } = message;

    return files.length > 0 ? { ...rest, attachments: files } : rest;
  }
  const isFileLeft = files.some(({ networkMessageId }) => networkMessageId !== undefined);

  return isFileLeft ? { ...message, text: '' } : withdrawn(message, timeOf(event));
}

async function rememberChange(
  key: Key,
  claim: MessageClaim | undefined,
  event: SendersChange,
  workKey: Key,
): Promise<WorkOutcome> {
  const { withdrawnAt, revision: known = 0, since = timestamp() } = claim ?? {};
  const isEdit = event.action === 'edit';
  const revision = revisionOf(event);
  const waitedMs = now() - Date.parse(since);
  if ((isEdit && (withdrawnAt !== undefined || revision < known)) || waitedMs > arrivalMs) {
    return 'done';
  }
  await write(
    change(key, {
      set: {
        ...(isEdit
          ? { edit: workKey, revision }
          : { withdrawnAt: timeOf(event), edit: null, revision: null }),
        since,
        expiresAtSeconds: epochSeconds((rememberedDays * dayMs) / secondMs),
      },
      when: allOf(
        absent('messageId'),
        unchanged('withdrawnAt', withdrawnAt),
        unchanged('revision', claim?.revision),
      ),
      orCreate: true,
    }),
    // The text of an earlier edit is no longer needed.
    ...(claim?.edit && claim.edit.sk !== workKey.sk ? [discard(claim.edit)] : []),
  );

  return { againInMs: Math.max(firstWaitMs, waitedMs) };
}

/** Returns the message with the changes that arrived before it. */
export async function changedEarly(
  message: Message,
  claim: MessageClaim | undefined,
): Promise<Message> {
  const { withdrawnAt, edit } = claim ?? {};
  if (withdrawnAt !== undefined) {
    return withdrawn(message, withdrawnAt);
  }
  const work = edit && (await get<OutboxItem>(edit));

  return work ? changedBy(message, inboundEventWork.parse(work.payload).event) : message;
}
