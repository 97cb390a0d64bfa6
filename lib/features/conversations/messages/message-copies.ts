import type { Message } from '#lib/features/conversations/conversation.ts';
import { renewGap } from '#lib/features/knowledge/gaps.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { removeFiles } from '#lib/platform/storage/files.ts';
import { filesOfMessage } from './attachments.ts';
import { recentTextKey } from './recent-texts.ts';

/**
 * Removes copies of messages that are about to be removed, and items that can only be found through
 * them: files, claims, recent texts, and questions that the knowledge did not answer. Idempotent.
 */
export async function removeCopies(
  organizationId: string,
  messages: readonly Message[],
): Promise<void> {
  const ids = messages.map(({ id }) => id);
  for (const message of messages) {
    if (message.attachments) {
      await removeFiles(filesOfMessage(organizationId, message));
    }
  }
  for (const gapId of new Set(messages.flatMap((message) => message.gapId ?? []))) {
    await renewGap(organizationId, gapId, ids);
  }
  await removeMany(messages.flatMap((message) => keysOfCopies(organizationId, message)));
}

function keysOfCopies(
  organizationId: string,
  { id, accountId, networkMessageId, attachments = [] }: Message,
): readonly Key[] {
  const networkIds = [networkMessageId, ...attachments.map((file) => file.networkMessageId)];

  return [
    recentTextKey(organizationId, id),
    ...networkIds.flatMap((networkId) =>
      networkId === undefined
        ? []
        : [socialKeys.networkMessage(organizationId, accountId, networkId)],
    ),
  ];
}
