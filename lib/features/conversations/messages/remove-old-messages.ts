import type { Message } from '#lib/features/conversations/conversation.ts';
import {
  findConversation,
  planConversationChange,
} from '#lib/features/conversations/conversations.ts';
import { findOrganization } from '#lib/features/organizations/organizations.ts';
import type { RetentionSchedule } from '#lib/features/organizations/retention-schedule.ts';
import { dayMs, now } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { inboundTextShards, socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { webhookRanges } from '#lib/platform/db/keys/webhooks.ts';
import { rowsOf } from '#lib/platform/db/lists/sharded-list.ts';
import { get, query, queryPages } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, count, remove, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { firstIdAt } from '#lib/platform/ids.ts';
import { eraseDelivery } from '#lib/platform/webhooks/change-delivery.ts';
import type { Delivery } from '#lib/platform/webhooks/delivery.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import { withMessages } from './message-changes.ts';
import { removeCopies } from './message-copies.ts';
import { repeatsOlderMessage } from './words-in-events.ts';

const conversationsAtOnce = 16;
const conversationsPerBatch = 160;
/** A transaction has at most 100 writes: each message, their number, and the conversation. */
const messagesPerPage = 90;
const textsPerPage = 1_000;
/** A step takes a few seconds. The function must not time out in the middle of one. */
const reserveMs = 15_000;

class OutOfTimeError extends Error {}

/** Older messages are removed. */
type Limit = {
  readonly organizationId: string;
  readonly before: string;
  readonly beforeId: string;
};

/**
 * Removes an organization's messages that are older than its retention period, with their files,
 * traces and copies. Can be interrupted and restarted, because the schedule contains the last
 * conversation.
 */
export async function removeOldMessages(
  organizationId: string,
  remainingMs: () => number,
): Promise<WorkOutcome> {
  const key = organizationKeys.retention(organizationId);
  const [organization, schedule] = await Promise.all([
    findOrganization(organizationId),
    get<RetentionSchedule>(key),
  ]);
  const { retentionDays } = organization?.settings ?? {};
  if (!schedule || retentionDays === undefined) {
    return 'done';
  }
  const beforeMs = now() - retentionDays * dayMs;
  const limit: Limit = {
    organizationId,
    before: new Date(beforeMs).toISOString(),
    beforeId: firstIdAt(beforeMs),
  };
  const stopInTime = () => {
    if (remainingMs() < reserveMs) {
      throw new OutOfTimeError();
    }
  };
  try {
    await removeFromConversations(limit, schedule.after, stopInTime);
    await removeTexts(limit, stopInTime);
    await eraseDeliveries(limit, stopInTime);
  } catch (failure) {
    if (failure instanceof OutOfTimeError) {
      return 'unfinished';
    }
    throw failure;
  }
  await writeIfMet(change(key, { set: { after: null } }));

  return 'done';
}

async function removeFromConversations(
  limit: Limit,
  startAfter: string | undefined,
  stopInTime: () => void,
): Promise<void> {
  const { organizationId } = limit;
  const list = { organizationId, kind: 'conversation' } as const;
  let batch: string[] = [];
  const removeBatch = async () => {
    stopInTime();
    await atMostAtOnce(conversationsAtOnce, batch, (id) => removeFrom(limit, id, stopInTime));
    const after = batch.at(-1);
    if (after !== undefined) {
      await writeIfMet(change(organizationKeys.retention(organizationId), { set: { after } }));
    }
    batch = [];
  };
  for await (const { id } of rowsOf(list, conversationsPerBatch, { before: startAfter })) {
    batch.push(id);
    if (batch.length === conversationsPerBatch) {
      await removeBatch();
    }
  }
  await removeBatch();
}

/** Message ids sort by the time at the network, so old messages come first. */
async function removeFrom(
  limit: Limit,
  conversationId: string,
  stopInTime: () => void,
): Promise<void> {
  const { organizationId, before, beforeId } = limit;
  const range = socialRanges.messagesBefore(organizationId, conversationId, beforeId);
  let after: string | undefined;
  for (;;) {
    const page = await query<Message>(range, {
      limit: messagesPerPage,
      ...(after === undefined ? {} : { after }),
    });
    const old = page.filter(({ createdAt }) => createdAt < before);
    if (old.length > 0) {
      await removeMessages(limit, conversationId, old);
    }
    if (page.length < messagesPerPage) {
      return;
    }
    after = page.at(-1)?.sk;
    stopInTime();
  }
}

/** Messages are removed last, because they are needed to find the other items. */
async function removeMessages(
  { organizationId }: Limit,
  conversationId: string,
  messages: ReadonlyArray<Message & Key>,
): Promise<void> {
  await retryWhenOvertaken('conversation', async () => {
    const before = await findConversation(organizationId, conversationId);
    if (!before) {
      return;
    }
    await removeCopies(organizationId, messages);
    await removeMany(
      messages.map(({ id }) => socialKeys.replyTrace(organizationId, conversationId, id)),
    );
    const changes = messages.map((message) => ({ before: message, after: undefined }));
    const after = await withMessages(before, changes);
    await write(
      ...messages.map((message) => remove(message)),
      count(socialKeys.messageCounter(organizationId, conversationId), { total: -messages.length }),
      ...(after === before ? [] : planConversationChange(before, after)),
    );
  });
}

/** Removes the recent texts. Their ids are the message ids. */
async function removeTexts(
  { organizationId, beforeId }: Limit,
  stopInTime: () => void,
): Promise<void> {
  for (let shard = 0; shard < inboundTextShards; shard += 1) {
    const range = socialRanges.inboundTextsBefore(organizationId, shard, beforeId);
    for (;;) {
      stopInTime();
      const texts = await query<object>(range, {
        keysOnly: true,
        expiredToo: true,
        limit: textsPerPage,
      });
      if (texts.length === 0) {
        break;
      }
      await removeMany(texts);
    }
  }
}

/** A message that the network sent late is in deliveries that are younger than the message. */
async function eraseDeliveries(
  { organizationId, before }: Limit,
  stopInTime: () => void,
): Promise<void> {
  const pages = queryPages<Delivery>(webhookRanges.allWebhookDeliveries(organizationId), {
    attributes: ['organizationId', 'sourceId', 'id', 'type', 'status', 'body'],
  });
  for await (const page of pages) {
    stopInTime();
    for (const delivery of page) {
      if (delivery.body !== undefined && repeatsOlderMessage(delivery.body, before)) {
        await eraseDelivery(delivery);
      }
    }
  }
}
