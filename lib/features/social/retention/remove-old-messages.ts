import { findOrganization } from '#lib/features/organizations/organizations.ts';
import type { RetentionSchedule } from '#lib/features/organizations/retention-schedule.ts';
import { fileOf } from '#lib/features/social/conversations/attachments.ts';
import type { Conversation, Message } from '#lib/features/social/conversations/conversation.ts';
import { claimsOfMessage } from '#lib/features/social/conversations/messages.ts';
import { dayMs, now } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { differs, equals } from '#lib/platform/db/conditions.ts';
import { inboundTextShards } from '#lib/platform/db/keys/social.ts';
import { type Key, keys, ranges } from '#lib/platform/db/keys.ts';
import { get, getMany, query, queryPages } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { rowsOf } from '#lib/platform/db/sharded-list.ts';
import { change, count, remove, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { firstIdAt } from '#lib/platform/ids.ts';
import { removeFiles } from '#lib/platform/storage/files.ts';
import { eraseDelivery } from '#lib/platform/webhooks/deliveries.ts';
import type { Delivery } from '#lib/platform/webhooks/delivery.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';

const conversationsAtOnce = 16;
const conversationsPerBatch = 160;
/** A transaction has up to 100 writes: each message, and their number. */
const messagesPerPage = 90;
const textsPerPage = 1_000;
const activitiesAtOnce = 8;
/** A step takes a few seconds. The function must not time out in the middle of one. */
const reserveMs = 15_000;

class OutOfTimeError extends Error {}

/** What is older is removed. */
type Limit = {
  readonly organizationId: string;
  readonly before: string;
  readonly beforeId: string;
};

/**
 * Removes an organization's messages that are older than it wants to keep them, with their files,
 * traces and copies. Can be interrupted and restarted: the schedule contains the last conversation.
 */
export async function removeOldMessages(
  organizationId: string,
  remainingMs: () => number,
): Promise<WorkOutcome> {
  const key = keys.retention(organizationId);
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
  const list = {
    index: { name: 'list', attribute: 'list' },
    organizationId,
    value: 'conversation',
  };
  let batch: string[] = [];
  const removeBatch = async () => {
    stopInTime();
    await atMostAtOnce(conversationsAtOnce, batch, (id) => removeFrom(limit, id, stopInTime));
    const after = batch.at(-1);
    if (after !== undefined) {
      await writeIfMet(change(keys.retention(organizationId), { set: { after } }));
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
  const range = ranges.messagesBefore(organizationId, conversationId, beforeId);
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

/** The messages go last, because the rest is found through them. */
async function removeMessages(
  limit: Limit,
  conversationId: string,
  messages: ReadonlyArray<Message & Key>,
): Promise<void> {
  const { organizationId } = limit;
  const conversation = await get<Conversation>(keys.conversation(organizationId, conversationId));
  if (!conversation) {
    return;
  }
  await forgetLastMessage(limit, conversation);
  await eraseActivities(conversation, messages);
  for (const { id, attachments } of messages) {
    if (attachments) {
      await removeFiles(fileOf(organizationId, { id }, { id: '', kind: 'OTHER' }).key);
    }
  }
  await removeMany(
    messages.flatMap((message) => [
      ...claimsOfMessage(organizationId, message),
      keys.replyTrace(organizationId, conversationId, message.id),
    ]),
  );
  await write(
    ...messages.map((message) => remove(message)),
    count(keys.messageCounter(organizationId, conversationId), { total: -messages.length }),
  );
}

async function forgetLastMessage(
  { organizationId, before }: Limit,
  { id, lastMessage }: Conversation,
): Promise<void> {
  if (lastMessage && lastMessage.createdAt < before) {
    await writeIfMet(
      change(keys.conversation(organizationId, id), {
        set: { lastMessage: null },
        when: equals('lastMessage.createdAt', lastMessage.createdAt),
      }),
    );
  }
}

/** Activities contain the beginning of a message. They stay, without it. */
async function eraseActivities(
  { organizationId, leadId, contactId }: Conversation,
  messages: readonly Message[],
): Promise<void> {
  const claims = contactId
    ? await query<{ readonly leadId: string }>(ranges.leadClaims(organizationId, contactId))
    : [];
  const leadIds = new Set([...(leadId ? [leadId] : []), ...claims.map((claim) => claim.leadId)]);
  const activities = await getMany<{ readonly description: string }>(
    [...leadIds].flatMap((id) =>
      messages.map((message) => keys.leadActivity(organizationId, id, message.id)),
    ),
  );
  await atMostAtOnce(
    activitiesAtOnce,
    activities.filter((activity) => activity !== undefined),
    (activity) =>
      writeIfMet(change(activity, { set: { description: '' }, when: differs('description', '') })),
  );
}

/** Removes the texts that keywords are compared with. Their ids are those of the messages. */
async function removeTexts(
  { organizationId, beforeId }: Limit,
  stopInTime: () => void,
): Promise<void> {
  for (let shard = 0; shard < inboundTextShards; shard += 1) {
    const range = ranges.inboundTextsBefore(organizationId, shard, beforeId);
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

/** A message that the network sent late is in deliveries that are younger than itself. */
async function eraseDeliveries(
  { organizationId, before }: Limit,
  stopInTime: () => void,
): Promise<void> {
  const pages = queryPages<Delivery>(ranges.allWebhookDeliveries(organizationId), {
    attributes: ['organizationId', 'sourceId', 'id', 'type', 'status', 'body'],
  });
  for await (const page of pages) {
    stopInTime();
    for (const delivery of page) {
      if (delivery.body !== undefined && isOlder(delivery.body, before)) {
        await eraseDelivery(delivery);
      }
    }
  }
}

function isOlder(body: string, before: string): boolean {
  const { type, data } = JSON.parse(body);
  const writtenAt = String(type).startsWith('message.')
    ? (data.createdAt ?? data.sentAt)
    : data.conversation?.lastMessage?.createdAt;

  return typeof writtenAt === 'string' && writtenAt < before;
}
