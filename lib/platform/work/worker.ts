import {
  BatchProcessor,
  EventType,
  processPartialResponse,
  SqsFifoPartialProcessorAsync,
} from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { minuteMs, now, secondMs, timestamp } from '#lib/platform/clock.ts';
import {
  absent,
  allOf,
  below,
  type Condition,
  either,
  equals,
} from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { outboxKind } from '#lib/platform/db/keys/system.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { change, remove, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { returnToQueue } from '#lib/platform/queue/queue.ts';
import type { WorkerDefinition } from '#schemas/contract.ts';
import {
  type WorkKind,
  type WorkPayload,
  workerDefinitions,
  workMessage,
} from '#schemas/messages.ts';
import { dispatch, notifyWorker, type OutboxItem, timingOf } from './outbox.ts';
import { repeatedly } from './repeatedly.ts';
import { type Slot, takeSlot } from './slots.ts';

/** Renewal interval of short leases. Several renewals may fail before the lease expires. */
const renewIntervalMs = 5 * secondMs;

const maxSlotWaitMs = 5 * minuteMs;

/** The input of a worker. `key` is the key of the outbox item. */
export type WorkRequest<Kind extends WorkKind> = {
  readonly key: Key;
  readonly payload: WorkPayload<Kind>;
  /** The time that this function may still run, in milliseconds. */
  readonly remainingMs: () => number;
};

/** `unfinished` requests another call immediately, `againInMs` after a delay. */
export type WorkOutcome = 'done' | 'unfinished' | { readonly againInMs: number };

/**
 * Processes one unit of work. It must be idempotent, because it may be called again after a crash
 * or redelivery. If a message is delivered twice, a delayed call may come early.
 */
export type WorkHandler<Kind extends WorkKind> = (work: WorkRequest<Kind>) => Promise<WorkOutcome>;

type PayloadSchema<Kind extends WorkKind> = { parse: (stored: string) => WorkPayload<Kind> };

type Definition<Kind extends WorkKind> = {
  readonly kind: Kind;
  readonly schema: PayloadSchema<Kind>;
  readonly handle: WorkHandler<Kind>;
};

/**
 * Creates the Lambda handler of a queue's worker. Each message contains the key of an outbox item,
 * which is removed when its work is done. Only failed messages return to the queue, the first times
 * after a few seconds. In FIFO queues, the later messages of their group return, too. Redelivered
 * messages do not repeat finished work.
 */
export function worker<Kind extends WorkKind>(
  kind: Kind,
  schema: PayloadSchema<Kind>,
  handle: WorkHandler<Kind>,
) {
  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const work = (record: SQSRecord) => processRecord({ kind, schema, handle }, record, context);
    const options = { context, throwOnFullBatchFailure: false };
    const response = await (keepsOrder(kind)
      ? processPartialResponse(event, work, new SqsFifoPartialProcessorAsync(), {
          ...options,
          skipGroupOnError: true,
        })
      : processPartialResponse(event, work, new BatchProcessor(EventType.SQS), options));
    await returnEarly(kind, event, response);

    return response;
  };
}

function keepsOrder(kind: WorkKind): boolean {
  const { inOrder = false }: WorkerDefinition = workerDefinitions[kind];

  return inOrder;
}

/** Most failures end quickly. Later tries wait for the queue's visibility timeout. */
const returnDelaysSeconds = [2, 10, 60] as const;

/**
 * Makes failed messages visible after seconds instead of minutes. In a FIFO queue, the messages of
 * a group return together, because an invisible message would block all others.
 */
async function returnEarly(
  kind: WorkKind,
  { Records: records }: SQSEvent,
  { batchItemFailures }: SQSBatchResponse,
): Promise<void> {
  const failedIds = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const failed = records.filter(({ messageId }) => failedIds.has(messageId));
  const groupOf = ({ messageId, attributes }: SQSRecord) =>
    keepsOrder(kind) ? attributes.MessageGroupId : messageId;
  const returned = failed.flatMap((record) => {
    const first = failed.find((one) => groupOf(one) === groupOf(record)) ?? record;
    const delaySeconds = returnDelaysSeconds[receiveCount(first) - 1];

    return delaySeconds === undefined
      ? []
      : [{ receiptHandle: record.receiptHandle, delaySeconds }];
  });
  if (returned.length === 0) {
    return;
  }
  try {
    await returnToQueue(workerDefinitions[kind], returned);
  } catch (failure) {
    logger.warn('Failed messages return only after the visibility timeout', {
      kind,
      failure: describeFailure(failure),
    });
  }
}

function receiveCount({ attributes }: SQSRecord): number {
  return Number(attributes.ApproximateReceiveCount);
}

async function processRecord<Kind extends WorkKind>(
  definition: Definition<Kind>,
  record: SQSRecord,
  context: Context,
): Promise<void> {
  const { kind } = definition;
  try {
    const key = workMessage.parse(JSON.parse(record.body));
    if (outboxKind(key.sk) !== kind) {
      throw new Error(`Work of another kind in the queue of ${kind}`);
    }
    await doClaimed(definition, key, context, receiveCount(record) > 1);
  } catch (failure) {
    logger.error('A piece of work failed and will be tried again', {
      kind,
      messageId: record.messageId,
      failure: describeFailure(failure),
    });
    throw failure;
  }
}

async function doClaimed<Kind extends WorkKind>(
  definition: Definition<Kind>,
  key: Key,
  context: Context,
  isRedelivered: boolean,
): Promise<void> {
  const { kind } = definition;
  const item = await claim(key, leaseEnd(kind, context));
  if (item === 'held' && isRedelivered) {
    throw new Error('A previous delivery still holds the work');
  }
  if (item === 'held' || item === 'done') {
    return;
  }
  try {
    const slot = await takeSlot(kind, key, leaseEnd(kind, context));
    if (!slot) {
      await postpone(kind, key, item, slotWaitMs(item));

      return;
    }
    const outcome = await doInSlot(slot, definition, key, item, context);
    if (outcome === 'done' && (await removeDone(key, item))) {
      return;
    }
    if (typeof outcome === 'object') {
      await postpone(kind, key, item, outcome.againInMs);

      return;
    }
  } catch (failure) {
    // Throw the original failure. A lease that cannot be released expires by itself.
    await release(key, item).catch(() => undefined);
    throw failure;
  }
  await release(key, item);
  await notifyWorker(kind, key, { group: item.group });
}

async function doInSlot<Kind extends WorkKind>(
  slot: Slot,
  { kind, schema, handle }: Definition<Kind>,
  key: Key,
  item: OutboxItem,
  context: Context,
): Promise<WorkOutcome> {
  const renew = async () => {
    const leaseUntil = leaseEnd(kind, context);
    const renewed = change(key, { set: { leaseUntil }, when: isHeld(item) });
    await Promise.all([write(renewed), slot.renew(leaseUntil)]);
  };
  const remainingMs = () => context.getRemainingTimeInMillis();
  const work = async () => handle({ key, payload: schema.parse(item.payload), remainingMs });
  try {
    return await (hasShortLease(kind) ? repeatedly(renewIntervalMs, renew, work) : work());
  } finally {
    await giveBack(slot);
  }
}

/** The longer work has waited, the less often it tries again, so a backlog costs little. */
function slotWaitMs({ createdAt }: OutboxItem): number {
  const waitedMs = now() - Date.parse(createdAt);
  const delayMs = Math.min(Math.max(waitedMs / 3, secondMs), maxSlotWaitMs);

  return delayMs * (1 + Math.random() / 2);
}

/** If the slot cannot be released, it becomes free when its lease ends. */
async function giveBack(slot: Slot): Promise<void> {
  await slot.release().catch((failure: unknown) => {
    logger.warn('A slot was not given back', { failure: describeFailure(failure) });
  });
}

function hasShortLease(kind: WorkKind): boolean {
  const { leaseSeconds }: WorkerDefinition = workerDefinitions[kind];

  return leaseSeconds !== undefined;
}

/** The lease lasts as long as the function may run. If it is renewed, it is shorter. */
function leaseEnd(kind: WorkKind, context: Context): string {
  const { leaseSeconds = Number.POSITIVE_INFINITY }: WorkerDefinition = workerDefinitions[kind];

  return timestamp(Math.min(context.getRemainingTimeInMillis(), leaseSeconds * secondMs));
}

/** True if no other delivery has claimed the item and no other work has replaced it. */
function isHeld({ leaseId }: OutboxItem): Condition {
  return equals('leaseId', leaseId);
}

/** Returns false if the payload was replaced concurrently. The item is then kept. */
async function removeDone(key: Key, item: OutboxItem): Promise<boolean> {
  const { revision } = item;
  const isSame = revision === undefined ? absent('revision') : equals('revision', revision);
  try {
    await write(remove(key, { when: allOf(isHeld(item), isSame) }));

    return true;
  } catch (failure) {
    if (failure instanceof ConditionNotMetError) {
      return failure.stored === undefined;
    }
    throw failure;
  }
}

/**
 * Leases a unit of work, so that only one of several concurrent deliveries processes it. `held`:
 * another delivery is processing it, or an earlier one crashed before it released its lease. A
 * redelivered message must then be delivered again. For a duplicate, the sweep dispatches the work.
 */
async function claim(key: Key, leaseUntil: string): Promise<OutboxItem | 'held' | 'done'> {
  const isFree = either(absent('leaseUntil'), below('leaseUntil', timestamp()));
  const set = { leaseUntil, leaseId: newId() };
  try {
    const item = (await write(change(key, { set, when: isFree }))) as OutboxItem | undefined;

    return item ?? 'done';
  } catch (failure) {
    if (failure instanceof ConditionNotMetError) {
      return failure.stored === undefined ? 'done' : 'held';
    }
    throw failure;
  }
}

const noLease = { leaseUntil: null, leaseId: null } as const;

/** Releases the lease for a retry, unless another delivery has claimed the item. */
async function release(key: Key, item: OutboxItem): Promise<void> {
  await writeIfMet(change(key, { set: noLease, when: isHeld(item) }));
}

async function postpone(
  kind: WorkKind,
  key: Key,
  item: OutboxItem,
  delayMs: number,
): Promise<void> {
  const { sweepAfterMs, bySweep, delaySeconds } = timingOf(kind, delayMs);
  const postponed = await writeIfMet(
    change(key, {
      set: { ...noLease, attempts: 0, ...dueIn('DUE', timestamp(sweepAfterMs)) },
      when: isHeld(item),
    }),
  );
  if (postponed && !bySweep) {
    await dispatch(kind, key, { group: item.group, delaySeconds });
  }
}
