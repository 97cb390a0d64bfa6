import {
  BatchProcessor,
  EventType,
  processPartialResponse,
  SqsFifoPartialProcessorAsync,
} from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { secondMs, timestamp } from '#lib/platform/clock.ts';
import {
  absent,
  allOf,
  below,
  type Condition,
  either,
  equals,
} from '#lib/platform/db/conditions.ts';
import { dueIn } from '#lib/platform/db/due-work.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { outboxKind } from '#lib/platform/db/keys/system.ts';
import { ConditionNotMet, change, remove, write } from '#lib/platform/db/write.ts';
import { changeIfMet, writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { WorkerDefinition } from '#schemas/contract.ts';
import { type WorkKind, workerDefinitions, workMessage } from '#schemas/messages.ts';
import type { WorkPayload } from '#schemas/work-payloads.ts';
import { dispatch, type OutboxItem, tellWorker, timingOf } from './outbox.ts';
import { repeatedly } from './repeatedly.ts';

/** How often a short lease is renewed: several beats may be lost. */
const beatMs = 5 * secondMs;

/** What a worker is given. `key` is the outbox item's own. */
export type WorkRequest<Kind extends WorkKind> = {
  readonly key: Key;
  readonly payload: WorkPayload<Kind>;
  /** How much longer this function may run, in milliseconds. */
  readonly remainingMs: () => number;
};

/** `unfinished` asks for another call at once, `againInMs` for one when that has passed. */
export type WorkOutcome = 'done' | 'unfinished' | { readonly againInMs: number };

/**
 * What a worker does with one piece of work. It may be called again for the same piece, after a
 * crash or a redelivery, and must then end in the same state. A call that was asked for with a delay
 * may come early, where a message is delivered twice.
 */
export type WorkHandler<Kind extends WorkKind> = (work: WorkRequest<Kind>) => Promise<WorkOutcome>;

/** Parses the payload that an outbox item stores. */
type PayloadSchema<Kind extends WorkKind> = { parse: (stored: string) => WorkPayload<Kind> };

type Definition<Kind extends WorkKind> = {
  readonly kind: Kind;
  readonly schema: PayloadSchema<Kind>;
  readonly handle: WorkHandler<Kind>;
};

/**
 * The Lambda handler of a queue's worker: each message names an outbox item, which is removed when
 * its work is done. Failed messages alone go back to the queue, where an order is kept together with
 * what follows them in their group; a message that is delivered more than once has its work done
 * once.
 */
export function worker<Kind extends WorkKind>(
  kind: Kind,
  schema: PayloadSchema<Kind>,
  handle: WorkHandler<Kind>,
) {
  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const work = (record: SQSRecord) => processRecord({ kind, schema, handle }, record, context);
    const options = { context, throwOnFullBatchFailure: false };
    if (keepsOrder(kind)) {
      const processor = new SqsFifoPartialProcessorAsync();

      return processPartialResponse(event, work, processor, { ...options, skipGroupOnError: true });
    }

    return processPartialResponse(event, work, new BatchProcessor(EventType.SQS), options);
  };
}

function keepsOrder(kind: WorkKind): boolean {
  const { inOrder = false }: WorkerDefinition = workerDefinitions[kind];

  return inOrder;
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
    await doClaimed(definition, key, context);
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
  { kind, schema, handle }: Definition<Kind>,
  key: Key,
  context: Context,
): Promise<void> {
  const item = await claim(key, leaseEnd(kind, context));
  if (!item) {
    return;
  }
  const renew = async () => {
    await write(change(key, { set: { leaseUntil: leaseEnd(kind, context) }, when: isHeld(item) }));
  };
  const remainingMs = () => context.getRemainingTimeInMillis();
  const work = async () => handle({ key, payload: schema.parse(item.payload), remainingMs });
  try {
    const outcome = await (hasShortLease(kind) ? repeatedly(beatMs, renew, work) : work());
    if (outcome === 'done' && (await removeDone(key, item))) {
      return;
    }
    if (typeof outcome === 'object') {
      await postpone(kind, key, item, outcome.againInMs);

      return;
    }
  } catch (failure) {
    // The first failure is the one to tell of; a lease that cannot be ended now ends by itself.
    await release(key, item).catch(() => undefined);
    throw failure;
  }
  await release(key, item);
  await tellWorker(kind, key, { group: item.group });
}

function hasShortLease(kind: WorkKind): boolean {
  const { leaseSeconds }: WorkerDefinition = workerDefinitions[kind];

  return leaseSeconds !== undefined;
}

/** As long as the function may run, or less where a worker that lives renews it. */
function leaseEnd(kind: WorkKind, context: Context): string {
  const { leaseSeconds = Number.POSITIVE_INFINITY }: WorkerDefinition = workerDefinitions[kind];

  return timestamp(Math.min(context.getRemainingTimeInMillis(), leaseSeconds * secondMs));
}

/** Neither has another delivery taken it since, nor other work its place. */
function isHeld({ leaseId }: OutboxItem): Condition {
  return equals('leaseId', leaseId);
}

/** `false`: more, or something else, has been asked for meanwhile, and the item stays. */
async function removeDone(key: Key, item: OutboxItem): Promise<boolean> {
  const { revision } = item;
  const isSame = revision === undefined ? absent('revision') : equals('revision', revision);
  try {
    await write(remove(key, { when: allOf(isHeld(item), isSame) }));

    return true;
  } catch (failure) {
    if (failure instanceof ConditionNotMet) {
      return failure.stored === undefined;
    }
    throw failure;
  }
}

/**
 * Takes a piece of work for a while, so that of several deliveries at the same time one does it.
 * `undefined`: it has been done, or another delivery is at it. Should that one die, the sweep sends
 * the work again.
 */
function claim(key: Key, leaseUntil: string): Promise<OutboxItem | undefined> {
  const isFree = either(absent('leaseUntil'), below('leaseUntil', timestamp()));
  const set = { leaseUntil, leaseId: newId() };

  return changeIfMet(change(key, { set, when: isFree }));
}

const noLease = { leaseUntil: null, leaseId: null } as const;

/** Sets the work free for the next try; one that another delivery has taken since stays taken. */
async function release(key: Key, item: OutboxItem): Promise<void> {
  await writeIfMet(change(key, { set: noLease, when: isHeld(item) }));
}

/** Sets the work free, to be taken up again when its time has come. */
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
