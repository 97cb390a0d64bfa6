import { minuteMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { dueIn } from '#lib/platform/db/due-work.ts';
import { type Key, tenantOf } from '#lib/platform/db/keys/key.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { create, put, type Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { type MessageOptions, sendToWorker } from '#lib/platform/queue/queue.ts';
import type { WorkerDefinition } from '#schemas/contract.ts';
import { type WorkKind, type WorkMessage, workerDefinitions } from '#schemas/messages.ts';

/** An outbox item: what is to be done, and when the sweep looks at it next. */
export type OutboxItem = {
  readonly payload: string;
  /** What it is done in order with, where its worker keeps an order. */
  readonly group?: string;
  readonly createdAt: string;
  readonly attempts: number;
  readonly duePk?: string;
  readonly dueAt?: string;
  /** Until then a worker is at it. */
  readonly leaseUntil?: string;
  /** Which delivery that is: it alone renews or ends the lease, and removes the item. */
  readonly leaseId?: string;
  /** Raised when the payload is replaced: whoever is at the former one goes on with the new one. */
  readonly revision?: number;
};

export type WorkOptions = {
  /** The work lies in the partition of this key. */
  readonly owner: Key;
  readonly payload: string;
  /** When the sweep takes it up where nobody has dispatched it. A minute from now by default. */
  readonly sweepAfterMs?: number;
  /** It is not begun before this has passed. Up to 15 minutes are exact, longer ones to a minute. */
  readonly delayMs?: number;
  readonly workId?: string;
  /** It takes the place of the work of that id, where there is some. */
  readonly replaces?: boolean;
  /** Work of one group is done in the order in which it is dispatched, where the worker keeps one. */
  readonly group?: string | undefined;
  /** Does not notify the worker after the write: the caller does, with `dispatch`, or the sweep. */
  readonly leaveToSweep?: boolean;
};

/**
 * Plans work for a queue's worker, to be written in the same transaction as the change that requires
 * it. The worker is notified after the write; if the process crashes in between, the sweep notifies
 * it a minute later.
 */
export function planWork(
  kind: WorkKind,
  { owner, payload, workId = newId(), group, ...options }: WorkOptions,
): Write {
  const { sweepAfterMs, delayMs = 0, replaces = false, leaveToSweep = false } = options;
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

  const planned = replaces ? put(key, item) : create(key, item);

  return timing.bySweep || leaveToSweep
    ? planned
    : { ...planned, afterwards: () => dispatch(kind, key, { group, delaySeconds }) };
}

const maxDelaySeconds = 900;

type Timing = {
  readonly sweepAfterMs: number;
  /** No queue waits that long, or none that keeps an order: the sweep alone sends it. */
  readonly bySweep: boolean;
  readonly delaySeconds?: number;
};

/** How work of a kind waits: in its queue if that can, for the sweep otherwise. */
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

/** Tells the worker; what cannot be told now, the sweep tells later. */
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

/** Puts the key of an outbox item into its worker's queue. */
export async function tellWorker(
  kind: WorkKind,
  key: Key,
  options: DispatchOptions,
): Promise<void> {
  const body: WorkMessage = { pk: key.pk, sk: key.sk };
  await sendToWorker(workerDefinitions[kind], body, { ...options, tenant: tenantOf(key) });
}
