import type { Conversation, Message } from '#lib/features/conversations/conversation.ts';
import { findConversation } from '#lib/features/conversations/conversations.ts';
import { findMessage } from '#lib/features/conversations/messages/messages.ts';
import { storeAttachments } from '#lib/features/conversations/messages/store-attachments.ts';
import { rewordedEvent } from '#lib/features/conversations/messages/words-in-events.ts';
import { renewGap } from '#lib/features/knowledge/gaps.ts';
import { placeholderAddress } from '#lib/features/leads/placeholder-address.ts';
import { secondMs } from '#lib/platform/clock.ts';
import { rewriteEvents } from '#lib/platform/webhooks/rewrite-events.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import { removeExportFiles } from './export-files.ts';

const busyMs = 2 * secondMs;

/**
 * Stores the files of a message. If the message was changed or withdrawn, updates its other copies,
 * and removes files that it no longer has. Idempotent.
 */
export async function renewCopies(work: WorkRequest<'attachments'>): Promise<WorkOutcome> {
  const { organizationId, conversationId, messageId } = work.payload;
  const conversation = await findConversation(organizationId, conversationId);
  const message = conversation && (await findMessage(conversation, messageId));
  const isRenewed = !conversation || !message || (await renewWords(conversation, message));
  const outcome = await storeAttachments(work);

  return isRenewed ? outcome : { againInMs: busyMs };
}

/** For a message from this service, this work is planned only when the message changes. */
function isChanged({ direction, deletedAt, revision }: Message): boolean {
  return direction === 'OUT' || deletedAt !== undefined || revision !== undefined;
}

/** Returns false if a worker holds one of the copies. */
async function renewWords(conversation: Conversation, message: Message): Promise<boolean> {
  const { organizationId, socialAccountId, leadContactId, campaignId } = conversation;
  const { gapId, answer, createdAt } = message;
  if (!isChanged(message)) {
    return true;
  }
  if (gapId) {
    await renewGap(organizationId, gapId);
  }
  await removeExportFiles(organizationId, [
    ...(leadContactId === undefined ? [] : [leadContactId]),
    placeholderAddress(conversation),
  ]);
  const sources = [socialAccountId, campaignId, answer?.campaignId];

  return rewriteEvents(
    organizationId,
    {
      sinceMs: Date.parse(createdAt),
      sourceIds: sources.filter((sourceId) => sourceId !== undefined),
    },
    (json) => rewordedEvent(json, message),
  );
}
