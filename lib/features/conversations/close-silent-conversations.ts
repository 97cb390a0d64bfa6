import { dayMs, now, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { config } from '#lib/platform/config.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import type { Conversation } from './conversation.ts';
import { closed, planClosedEvent, planConversationChange } from './conversations.ts';

const batchSize = 1_000;
const atOnce = 20;
const reserveMs = 15_000;

/**
 * Closes open conversations without messages for `conversationCloseDays`. Conversations that people
 * have taken over stay open until people hand them back.
 *
 * @returns the number of closed conversations.
 */
export async function closeSilentConversations(remainingMs: () => number): Promise<number> {
  const until = timestamp();
  let count = 0;
  while (remainingMs() > reserveMs) {
    const due = await findDueItems('SILENCE', batchSize, until);
    const outcomes = await atMostAtOnce(atOnce, due, closeIfSilent);
    count += outcomes.filter((outcome) => outcome === 'closed').length;
    if (outcomes.every((outcome) => outcome === 'overtaken')) {
      break;
    }
  }

  return count;
}

type Outcome = 'closed' | 'left' | 'overtaken';

async function closeIfSilent(item: DueItem): Promise<Outcome> {
  const conversation = await get<Conversation>({ pk: item.pk, sk: item.sk });
  if (!conversation) {
    return 'overtaken';
  }
  const isOpen = conversation.status === 'OPEN' && config.conversationCloseDays > 0;
  const closesAtMs = Date.parse(conversation.updatedAt) + config.conversationCloseDays * dayMs;
  try {
    if (isOpen && closesAtMs <= now()) {
      const after = closed(conversation);
      const event = await planClosedEvent(after);
      await write(...planConversationChange(conversation, after), ...event);

      return 'closed';
    }
    const next = isOpen
      ? { dueAt: new Date(closesAtMs).toISOString() }
      : { duePk: null, dueAt: null };
    await write(change(item, { set: next, when: equals('dueAt', item.dueAt) }));

    return 'left';
  } catch (failure) {
    if (failure instanceof ConditionNotMetError) {
      return 'overtaken';
    }
    throw failure;
  }
}
