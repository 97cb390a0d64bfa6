import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { queueName } from '#schemas/contract.ts';
import { workers } from '#schemas/index.ts';
import { lambdaContext } from './api.ts';

type Worker = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

type Queues = {
  /** With messages that were not requested yet. */
  readonly filled: Set<string>;
  /** With messages that come later, because they are delayed or have failed. */
  readonly returning: Set<string>;
  /** The prefixes of queues that other processes have sent to. */
  readonly shared: Set<string>;
  /** True if messages that come later never come: the sweep finds their work. */
  isLaterLeftToSweep: boolean;
};

/** Survives `vi.resetModules`. */
const { watched } = globalThis as { watched?: Queues };
const queues = watched ?? watchQueues();
Object.assign(globalThis, { watched: queues });

/** Notes which queues this process sends to. Asking every queue would double the time of tests. */
function watchQueues(): Queues {
  const noted: Queues = {
    filled: new Set(),
    returning: new Set(),
    shared: new Set(),
    isLaterLeftToSweep: false,
  };
  const { send } = SQSClient.prototype;
  SQSClient.prototype.send = async function noteAndSend(this: SQSClient, ...args: unknown[]) {
    if (noted.isLaterLeftToSweep) {
      holdBack(args[0]);
    }
    try {
      return await Reflect.apply(send, this, args);
    } finally {
      note(noted, args[0]);
    }
  };

  return noted;
}

function note({ filled }: Queues, command: unknown): void {
  if (command instanceof SendMessageCommand) {
    const { QueueUrl = '', DelaySeconds } = command.input;
    if (DelaySeconds) {
      expectLater(QueueUrl);
    } else {
      filled.add(QueueUrl);
    }
  }
}

function expectLater(url: string): void {
  if (!queues.isLaterLeftToSweep) {
    queues.returning.add(url);
  }
}

/** The longest times that SQS supports. */
const longestDelaySeconds = 900;
const longestInvisibleSeconds = 43_200;

/** Delays messages that would come later so much that they do not come during the test. */
function holdBack(command: unknown): void {
  if (command instanceof SendMessageCommand && command.input.DelaySeconds) {
    command.input.DelaySeconds = longestDelaySeconds;
  }
  if (command instanceof ChangeMessageVisibilityBatchCommand) {
    for (const entry of command.input.Entries ?? []) {
      entry.VisibilityTimeout = longestInvisibleSeconds;
    }
  }
}

/**
 * Leaves delayed and failed work to the sweep from now on. The queue counts real seconds, so a slow
 * machine would try failed work more often than a fast one before the test moves its clock.
 */
export function leaveLaterWorkToSweep(): void {
  queues.isLaterLeftToSweep = true;
  queues.returning.clear();
}

/** Call this if a function runs in another process, whose messages are not seen here. */
export function expectForeignMessages(): void {
  queues.shared.add(String(process.env.QUEUE_URL_PREFIX));
}

function mayHaveMessages(name: string): boolean {
  const url = queueUrl(name);
  const { filled, returning, shared } = queues;

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

/**
 * Processes one batch of a queue. Failed messages remain in the queue, invisible for a while. True
 * if there are none.
 */
async function workOff(name: string, messages: readonly Message[]): Promise<boolean> {
  const { handler } = (await import(`../../functions/workers/${name}.ts`)) as { handler: Worker };
  const { batchItemFailures } = await handler(sqsEvent(messages), lambdaContext(300_000));
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  await forget(
    name,
    messages.filter(({ MessageId = '' }) => !failed.has(MessageId)),
  );

  return failed.size === 0;
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
  queues.filled.delete(queueUrl(name));
  for (let batch = await receive(name); batch.length > 0; batch = await receive(name)) {
    const isDone = await workOff(name, batch).catch((failure: unknown) => {
      expectLater(queueUrl(name));
      throw failure;
    });
    if (!isDone) {
      expectLater(queueUrl(name));
    }
  }
}

/**
 * Runs the workers through their real handlers, one after another, each until its queue is empty.
 * Work that a worker plans for an earlier one in `schemas/messages.ts` waits for the next call.
 */
export async function drainWork(only?: string): Promise<void> {
  if (only) {
    await drainQueue(only);

    return;
  }
  for (const { name } of workers) {
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
