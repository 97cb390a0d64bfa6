import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSMessageAttribute, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { secondMs } from '#lib/platform/clock.ts';
import { createFairBuffer, type FairBuffer } from './fair-buffer.ts';
import { type Invocation, invokeFunction } from './invoke-function.ts';

export type QueuePollerOptions = {
  /** The connection to the queues. */
  readonly sqs: SQSClientConfig;
  readonly lambdaUrl: string;
  readonly region: string;
  readonly queueUrl: string;
  readonly functionName: string;
  readonly batchSize: number;
  /**
   * The queue's own visibility timeout. Messages that waited longer for a function are received
   * again.
   */
  readonly visibilitySeconds: number;
  /** Called with one line for each problem. */
  readonly onProblem: (line: string) => void;
};

export type QueuePoller = { readonly close: () => Promise<void> };

/** The maximum of SQS, so an idle stack polls its queues as rarely as possible. */
const waitSeconds = 20;
const pauseAfterProblemMs = 500;
/** Processes batches of one queue concurrently, as Lambda does. */
const concurrency = 2;
/** The number of messages to receive in advance. Fairness applies only to these. */
const maxBuffered = 500;

const batchResponse = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

/**
 * Invokes a function with messages from its queue, like Lambda's event source mapping. Failed
 * messages, or all of them if the function itself fails, stay in the queue and return after the
 * visibility timeout, unless the function returned them earlier. The rest are deleted.
 */
export function startQueuePoller(options: QueuePollerOptions): QueuePoller {
  const client = new SQSClient({ ...options.sqs, region: options.region });
  const closing = new AbortController();
  const buffer = createFairBuffer(options.queueUrl.endsWith('.fifo'));
  const changes = new EventEmitter().setMaxListeners(concurrency + 1);
  const parts = { client, options, buffer, changes, signal: closing.signal };
  const loops = [
    repeat(parts, receive),
    ...Array.from({ length: concurrency }, () => repeat(parts, processBatch)),
  ];

  return {
    close: async () => {
      closing.abort();
      await Promise.all(loops);
      client.destroy();
    },
  };
}

type Parts = {
  readonly client: SQSClient;
  readonly options: QueuePollerOptions;
  readonly buffer: FairBuffer;
  /** Emits `change` after messages were added or taken. */
  readonly changes: EventEmitter;
  readonly signal: AbortSignal;
};

async function repeat(parts: Parts, step: (parts: Parts) => Promise<void>): Promise<void> {
  const { options, signal } = parts;
  while (!signal.aborted) {
    try {
      await step(parts);
    } catch (error) {
      if (!signal.aborted) {
        options.onProblem(`${options.functionName}: ${String(error)}`);
        await delay(pauseAfterProblemMs, undefined, { signal }).catch(() => {});
      }
    }
  }
}

async function receive({ client, options, buffer, changes, signal }: Parts): Promise<void> {
  if (buffer.size() >= maxBuffered) {
    await once(changes, 'change', { signal });

    return;
  }
  const { Messages: messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: options.queueUrl,
      MaxNumberOfMessages: Math.min(options.batchSize, 10),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    }),
    { abortSignal: signal },
  );
  if (messages.length > 0) {
    buffer.add(messages, Date.now() + options.visibilitySeconds * secondMs);
    changes.emit('change');
  }
}

async function processBatch({ client, options, buffer, changes, signal }: Parts): Promise<void> {
  const messages = buffer.take(options.batchSize);
  if (messages.length === 0) {
    await once(changes, 'change', { signal });

    return;
  }
  changes.emit('change');
  const event: SQSEvent = { Records: messages.map((message) => recordOf(message, options)) };
  const invocation = await invokeFunction(options.lambdaUrl, options.functionName, event, signal);
  await deleteMessages(client, options, succeeded(messages, invocation, options));
}

function succeeded(
  messages: readonly Message[],
  invocation: Invocation,
  options: QueuePollerOptions,
): readonly Message[] {
  const failures = failedIds(messages, invocation);
  if (failures === 'all') {
    options.onProblem(`${options.functionName} failed: ${JSON.stringify(invocation.payload)}`);

    return [];
  }

  return messages.filter((message) => !failures.has(message.MessageId ?? ''));
}

/**
 * As in Lambda, a response with an invalid or unknown message id counts as a failure of the whole
 * batch.
 */
function failedIds(
  messages: readonly Message[],
  { failed, payload }: Invocation,
): ReadonlySet<string> | 'all' {
  if (failed) {
    return 'all';
  }
  if (typeof payload !== 'object' || payload === null) {
    return new Set();
  }
  const answer = batchResponse.safeParse(payload);
  if (!answer.success) {
    return 'all';
  }
  const known = new Set(messages.map((message) => message.MessageId));
  const ids = (answer.data.batchItemFailures ?? []).map((failure) => failure.itemIdentifier);

  return ids.every((id) => known.has(id)) ? new Set(ids) : 'all';
}

async function deleteMessages(
  client: SQSClient,
  options: QueuePollerOptions,
  messages: readonly Message[],
): Promise<void> {
  if (messages.length === 0) {
    return;
  }
  await client.send(
    new DeleteMessageBatchCommand({
      QueueUrl: options.queueUrl,
      Entries: messages.map((message, index) => ({
        Id: String(index),
        ReceiptHandle: message.ReceiptHandle,
      })),
    }),
  );
}

function recordOf(message: Message, { queueUrl, region }: QueuePollerOptions): SQSRecord {
  const [accountId, queueName] = new URL(queueUrl).pathname.split('/').slice(-2);
  const attributes = message.Attributes ?? {};

  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: {
      ...attributes,
      ApproximateReceiveCount: attributes.ApproximateReceiveCount ?? '1',
      SentTimestamp: attributes.SentTimestamp ?? '',
      SenderId: attributes.SenderId ?? '',
      ApproximateFirstReceiveTimestamp: attributes.ApproximateFirstReceiveTimestamp ?? '',
    },
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [
        name,
        attributeOf(value),
      ]),
    ),
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:${region}:${accountId}:${queueName}`,
    awsRegion: region,
  };
}

function attributeOf(value: MessageAttributeValue): SQSMessageAttribute {
  return {
    dataType: value.DataType ?? 'String',
    ...(value.StringValue === undefined ? {} : { stringValue: value.StringValue }),
    ...(value.BinaryValue === undefined
      ? {}
      : { binaryValue: Buffer.from(value.BinaryValue).toString('base64') }),
  };
}
