import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { client } from '#lib/platform/queue/queue.ts';
import { queueName } from '#schemas/contract.ts';
import { workers } from '#schemas/index.ts';
import { lambdaContext } from './api.ts';

type Worker = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** Queues of this process that may have messages. To ask each queue would double the time of tests. */
const filled = new Set<string>();
/** Queues whose messages come back later, because they are delayed or have failed. */
const returning = new Set<string>();
/** The queues that other processes have sent to. */
const shared = new Set<string>();

client.middlewareStack.add(
  (next) => async (args) => {
    const { QueueUrl, DelaySeconds } = args.input as SendMessageCommandInput;
    const isSent = 'MessageBody' in args.input && QueueUrl !== undefined;
    if (isSent && DelaySeconds) {
      returning.add(QueueUrl);
    }
    try {
      return await next(args);
    } finally {
      if (isSent) {
        filled.add(QueueUrl);
      }
    }
  },
  { step: 'initialize' },
);

/** Call this if a function runs in another process, whose messages are not seen here. */
export function expectForeignMessages(): void {
  shared.add(String(process.env.QUEUE_URL_PREFIX));
}

function mayHaveMessages(name: string): boolean {
  const url = queueUrl(name);

  return filled.has(url) || returning.has(url) || shared.has(String(process.env.QUEUE_URL_PREFIX));
}

const sqs = new SQSClient({ endpoint: String(process.env.SQS_ENDPOINT) });

function queueUrl(name: string): string {
  const worker = workers.find((known) => known.name === name);

  return `${process.env.QUEUE_URL_PREFIX}${queueName(worker ?? { name })}`;
}

/** Returns the event that SQS passes to a function. */
export function sqsEvent(messages: readonly Message[]): SQSEvent {
  return {
    Records: messages.map(({ MessageId = '', Body = '', ReceiptHandle = '', Attributes }) => ({
      messageId: MessageId,
      receiptHandle: ReceiptHandle,
      body: Body,
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '0',
        SenderId: 'test',
        ApproximateFirstReceiveTimestamp: '0',
        ...(Attributes?.MessageGroupId ? { MessageGroupId: Attributes.MessageGroupId } : {}),
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:test',
      awsRegion: 'us-east-1',
    })),
  };
}

async function receive(name: string): Promise<readonly Message[]> {
  const received = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl(name),
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['MessageGroupId'],
    }),
  );

  return received.Messages ?? [];
}

/** Processes one batch of a queue. Failed messages remain in the queue, invisible for a while. */
async function workOff(name: string, messages: readonly Message[]): Promise<void> {
  const { handler } = (await import(`../../functions/workers/${name}.ts`)) as { handler: Worker };
  const url = queueUrl(name);
  const isReturning = returning.has(url);
  returning.add(url);
  const { batchItemFailures } = await handler(sqsEvent(messages), lambdaContext(300_000));
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  await forget(
    name,
    messages.filter(({ MessageId = '' }) => !failed.has(MessageId)),
  );
  if (failed.size === 0 && !isReturning) {
    returning.delete(url);
  }
}

async function forget(name: string, messages: readonly Message[]): Promise<void> {
  if (messages.length > 0) {
    await sqs.send(
      new DeleteMessageBatchCommand({
        QueueUrl: queueUrl(name),
        Entries: messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
      }),
    );
  }
}

async function drainQueue(name: string): Promise<void> {
  filled.delete(queueUrl(name));
  for (let batch = await receive(name); batch.length > 0; batch = await receive(name)) {
    await workOff(name, batch);
  }
}

/**
 * Runs the workers through their real handlers, one after another, each until its queue is empty.
 * Work that a worker plans for an earlier one in `schemas/messages.ts` waits for the next call.
 */
export async function drainWork(only?: string): Promise<void> {
  const names = only ? [only] : workers.map(({ name }) => name);
  for (const name of names) {
    if (mayHaveMessages(name)) {
      await drainQueue(name);
    }
  }
}

/** Permanently takes the messages from a queue and returns the event for its worker. */
export async function takeWork(name: string): Promise<SQSEvent> {
  const messages = await receive(name);
  await forget(name, messages);

  return sqsEvent(messages);
}
