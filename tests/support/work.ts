import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { queueName } from '#schemas/contract.ts';
import { workers } from '#schemas/index.ts';
import { lambdaContext } from './api.ts';

type Worker = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

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
  const { batchItemFailures } = await handler(sqsEvent(messages), lambdaContext(300_000));
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  await forget(
    name,
    messages.filter(({ MessageId = '' }) => !failed.has(MessageId)),
  );
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

/**
 * Runs the workers through their real handlers, one after another, each until its queue is empty.
 * Work that a worker plans for an earlier one in `schemas/messages.ts` waits for the next call.
 */
export async function drainWork(only?: string): Promise<void> {
  const names = only ? [only] : workers.map(({ name }) => name);
  for (const name of names) {
    for (let batch = await receive(name); batch.length > 0; batch = await receive(name)) {
      await workOff(name, batch);
    }
  }
}

/** Permanently takes the messages from a queue and returns the event for its worker. */
export async function takeWork(name: string): Promise<SQSEvent> {
  const messages = await receive(name);
  await forget(name, messages);

  return sqsEvent(messages);
}
