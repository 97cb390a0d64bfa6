import { type Conversation, waitingSinceOf } from '#lib/features/conversations/conversation.ts';
import { oldestRowsOf } from '#lib/platform/db/lists/sharded-list.ts';

/** Agents answer most of them within seconds, so these suffice to find one that they leave. */
const readPerShard = 25;

/** Returns since when a customer waits, if one has waited since before this time. */
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
