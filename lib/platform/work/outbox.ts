import { minuteMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { type Key, tenantOf } from '#lib/platform/db/keys/key.ts';
import { systemKeys } from '#lib/platform/db/keys/system.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { create, put, type Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { type MessageOptions, sendToWorker } from '#lib/platform/queue/queue.ts';
import type { WorkerDefinition } from '#schemas/contract.ts';
import {
  type WorkKind,
  type WorkMessage,
  type WorkPayload,
  workerDefinitions,
} from '#schemas/messages.ts';

/** An outbox item: a unit of work, and the time when the sweep checks it next. */
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
  /**
   * The delivery that holds the lease. Only this delivery may renew or release the lease, or remove
   * the item.
   */
  readonly leaseId?: string;
  /**
   * Incremented when the payload is replaced. The current worker then continues with the new
   * payload.
   */
  readonly revision?: number;
};

export type WorkOptions<Kind extends WorkKind> = {
  /** The work is stored in this key's partition. */
  readonly owner: Key;
  readonly payload: WorkPayload<Kind>;
  /**
   * The time after which the sweep dispatches the work, if nobody else has. Default: a minute from
   * now.
   */
  readonly sweepAfterMs?: number;
  /** Minimum delay. Exact up to 15 minutes; longer delays are exact to a minute. */
  readonly delayMs?: number;
  readonly workId?: string;
  /** Replaces existing work with the same id. */
  readonly replaces?: boolean;
  /** FIFO group. Work of a group is dispatched in order, if the worker keeps an order. */
  readonly group?: string | undefined;
  /**
   * Does not notify the worker after the write. The caller calls `dispatch`, or the sweep does it.
   */
  readonly leaveToSweep?: boolean;
};

/**
 * Plans work for a queue's worker. Write it in the same transaction as the change that requires it.
 * The worker is notified after the write. If the process crashes in between, the sweep notifies it
 * a minute later.
 */
export function planWork<Kind extends WorkKind>(
  kind: Kind,
  { owner, payload, workId = newId(), group, ...options }: WorkOptions<Kind>,
): Write {
  const { sweepAfterMs, delayMs = 0, replaces = false, leaveToSweep = false } = options;
  const key = systemKeys.outbox(owner, kind, workId);
  const timing = timingOf(kind, delayMs);
  const item: OutboxItem = {
    payload: storedPayload(payload),
    createdAt: timestamp(),
    attempts: 0,
    ...(group === undefined ? {} : { group }),
    ...dueIn('DUE', timestamp(sweepAfterMs ?? timing.sweepAfterMs)),
  };
  const { delaySeconds } = timing;

  const planned = replaces ? put(key, item) : create(key, item);

  return timing.bySweep || leaveToSweep
    ? planned
    : { ...planned, afterwards: () => dispatch(kind, key, { group, delaySeconds }) };
}

/** The payload in the outbox item's format: a string unchanged, anything else as JSON. */
export function storedPayload(payload: WorkPayload<WorkKind>): string {
  return typeof payload === 'string' ? payload : JSON.stringify(payload);
}

const maxDelaySeconds = 900;

type Timing = {
  readonly sweepAfterMs: number;
  /**
   * True if the delay exceeds SQS's maximum or the queue is FIFO, so only the sweep dispatches the
   * work.
   */
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

type DispatchOptions = Omit<MessageOptions, 'tenant'>;

/** Notifies the worker. On failure, the sweep does it later. */
export async function dispatch(kind: WorkKind, key: Key, options: DispatchOptions): Promise<void> {
  try {
    await notifyWorker(kind, key, options);
  } catch (failure) {
    logger.warn('A message to a worker was not sent; the sweep will send it', {
      kind,
      failure: describeFailure(failure),
    });
  }
}

/** Sends an outbox item's key to its worker's queue. */
export async function notifyWorker(
  kind: WorkKind,
  key: Key,
  options: DispatchOptions,
): Promise<void> {
  const body: WorkMessage = { pk: key.pk, sk: key.sk };
  await sendToWorker(workerDefinitions[kind], body, { ...options, tenant: tenantOf(key) });
}
