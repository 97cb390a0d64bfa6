import { type Conversation, waitingSinceOf } from '#lib/features/conversations/conversation.ts';
import { oldestRowsOf } from '#lib/platform/db/lists/sharded-list.ts';

/**
 * Agents answer most of them within seconds, so this number is enough to find one without an
 * answer.
 */
const readPerShard = 25;

/** Returns how long a customer has been waiting, if one has waited since before this time. */
export async function findWaitingSince(
  organizationId: string,
  before: string,
): Promise<string | undefined> {
  const rows = await oldestRowsOf({
    organizationId,
    kind: 'conversation',
    index: { name: 'byWaiting', attribute: 'unansweredSince' },
    before,
    perShard: readPerShard,
  });
  const [longest] = (rows as unknown as readonly Conversation[])
    .flatMap((conversation) => waitingSinceOf(conversation) ?? [])
    .toSorted();

  return longest;
}
