import { minuteMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { dueIn } from '#lib/platform/db/due-work.ts';
import { type Key, keys, tenantOf } from '#lib/platform/db/keys.ts';
import { create, put, type Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { type MessageOptions, sendToWorker } from '#lib/platform/queue/queue.ts';
import type { WorkerDefinition } from '#schemas/contract.ts';
import { type WorkKind, type WorkMessage, workerDefinitions } from '#schemas/messages.ts';

/** An outbox item: a unit of work, and when the sweep checks it next. */
export type OutboxItem = {
  readonly payload: string;
  /** FIFO group, if the worker keeps an order. */
  readonly group?: string;
  readonly createdAt: string;
  readonly attempts: number;
  readonly duePk?: string;
  readonly dueAt?: string;
  /** Set while a worker holds the item. */
  readonly leaseUntil?: string;
  /** The delivery that holds the lease. Only it may renew or release it, or remove the item. */
  readonly leaseId?: string;
  /**
   * Incremented when the payload is replaced: the current worker then continues with the new one.
   */
  readonly revision?: number;
};

/** Work that is stored in the same transaction as the change that requires it. */
export type Work = {
  readonly write: Write;
  /** Notifies the worker. If that fails, the due-work sweep does it a minute later. */
  readonly dispatch: () => Promise<void>;
};

export type WorkOptions = {
  /** The item is stored in the partition of this key. */
  readonly owner: Key;
  readonly payload: string;
  /** When the sweep dispatches undelivered work. Defaults to one minute. */
  readonly sweepAfterMs?: number;
  /** Minimum delay. Exact up to 15 minutes; longer delays are exact to a minute. */
  readonly delayMs?: number;
  readonly workId?: string;
  /** Replaces existing work with the same id. */
  readonly replaces?: boolean;
  /** FIFO group: dispatched in order, if the worker keeps an order. */
  readonly group?: string | undefined;
};

/**
 * Plans work for a queue's worker. Put `write` into the transaction and call `dispatch` after it
 * commits. A crash in between only delays the work.
 */
export function planWork(
  kind: WorkKind,
  { owner, payload, workId = newId(), group, ...options }: WorkOptions,
): Work {
  const { sweepAfterMs, delayMs = 0, replaces = false } = options;
  const key = keys.outbox(owner, kind, workId);
  const timing = timingOf(kind, delayMs);
  const item: OutboxItem = {
    payload,
    createdAt: timestamp(),
    attempts: 0,
    ...(group === undefined ? {} : { group }),
    ...dueIn('DUE', timestamp(sweepAfterMs ?? timing.sweepAfterMs)),
  };
  const { delaySeconds } = timing;

  return {
    write: replaces ? put(key, item) : create(key, item),
    dispatch: () => (timing.bySweep ? nothing() : dispatch(kind, key, { group, delaySeconds })),
  };
}

const maxDelaySeconds = 900;

type Timing = {
  readonly sweepAfterMs: number;
  /** The delay exceeds SQS's maximum, or the queue is FIFO: only the sweep dispatches it. */
  readonly bySweep: boolean;
  readonly delaySeconds?: number;
};

/** Chooses how work is delayed: in the queue if possible, otherwise by the sweep. */
export function timingOf(kind: WorkKind, delayMs: number): Timing {
  const { inOrder = false }: WorkerDefinition = workerDefinitions[kind];
  const delaySeconds = Math.ceil(delayMs / secondMs);
  if (delaySeconds <= 0) {
    return { sweepAfterMs: minuteMs, bySweep: false };
  }
  if (inOrder || delaySeconds > maxDelaySeconds) {
    return { sweepAfterMs: delayMs, bySweep: true };
  }

  return { sweepAfterMs: delayMs + minuteMs, bySweep: false, delaySeconds };
}

async function nothing(): Promise<void> {}

type DispatchOptions = Omit<MessageOptions, 'tenant'>;

/** Notifies the worker. On failure, the sweep does it later. */
export async function dispatch(kind: WorkKind, key: Key, options: DispatchOptions): Promise<void> {
  try {
    await tellWorker(kind, key, options);
  } catch (failure) {
    logger.warn('A message to a worker was not sent; the sweep will send it', {
      kind,
      failure: describeFailure(failure),
    });
  }
}

/** Sends an outbox item's key to its worker's queue. */
export async function tellWorker(
  kind: WorkKind,
  key: Key,
  options: DispatchOptions,
): Promise<void> {
  const body: WorkMessage = { pk: key.pk, sk: key.sk };
  await sendToWorker(workerDefinitions[kind], body, { ...options, tenant: tenantOf(key) });
}
