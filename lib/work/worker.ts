import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type Key, outboxKind } from '#lib/db/keys.ts';
import { get } from '#lib/db/read.ts';
import { discard, write } from '#lib/db/write.ts';
import { describeFailure, logger } from '#lib/log/logger.ts';
import { type WorkKind, workMessage } from '#schemas/messages.ts';
import { type OutboxItem, tellWorker } from './outbox.ts';

/** What a worker is given. `key` is the outbox item's own. */
export type WorkRequest = {
  readonly key: Key;
  readonly payload: string;
  /** How much longer this function may run, in milliseconds. */
  readonly remainingMs: () => number;
};

/**
 * What a worker does with one piece of work. It may be called again for the same piece, after a
 * crash or a redelivery, and must then end in the same state. `unfinished` asks for another call.
 */
export type WorkHandler = (work: WorkRequest) => Promise<'done' | 'unfinished'>;

/**
 * The Lambda handler of a queue's worker: each message names an outbox item, which is removed when
 * its work is done. Failed messages alone go back to the queue.
 */
export function worker(kind: WorkKind, handle: WorkHandler) {
  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const processor = new BatchProcessor(EventType.SQS);

    return processPartialResponse(
      event,
      (record: SQSRecord) => workOff(kind, record, context, handle),
      processor,
      { context, throwOnFullBatchFailure: false },
    );
  };
}

async function workOff(
  kind: WorkKind,
  record: SQSRecord,
  context: Context,
  handle: WorkHandler,
): Promise<void> {
  try {
    const key = workMessage.parse(JSON.parse(record.body));
    if (outboxKind(key.sk) !== kind) {
      throw new Error(`Work of another kind in the queue of ${kind}`);
    }
    const item = await get<OutboxItem>(key);
    if (!item) {
      return;
    }
    const outcome = await handle({
      key,
      payload: item.payload,
      remainingMs: () => context.getRemainingTimeInMillis(),
    });
    await (outcome === 'done' ? write(discard(key)) : tellWorker(kind, key));
  } catch (failure) {
    logger.error('A piece of work failed and will be tried again', {
      kind,
      messageId: record.messageId,
      failure: describeFailure(failure),
    });
    throw failure;
  }
}
