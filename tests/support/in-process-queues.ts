import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { QueueDoesNotExist, SQSClient, SQSServiceException } from '@aws-sdk/client-sqs';
import { secondMs } from '#lib/platform/clock.ts';
import { deadLettersOf, queueName, visibilitySeconds } from '#schemas/contract.ts';
import { workers } from '#schemas/index.ts';

type StoredMessage = {
  readonly id: string;
  readonly body: string;
  readonly group: string | undefined;
  receipt: string;
  visibleAtMs: number;
  receiveCount: number;
};

type Queue = {
  readonly isInOrder: boolean;
  readonly visibilityMs: number;
  readonly deduplicationIds: Set<string>;
  messages: StoredMessage[];
};

type Request = { readonly QueueUrl: string };
type Receiving = Request & {
  readonly MaxNumberOfMessages?: number;
  readonly WaitTimeSeconds?: number;
};
type Entry = { readonly Id: string; readonly ReceiptHandle: string };
type Entries<Fields = unknown> = Request & { readonly Entries: readonly (Entry & Fields)[] };
type Sent = Request & {
  readonly MessageBody: string;
  readonly DelaySeconds?: number;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
};

/** The queues of all workers for one test file. */
export type Queues = {
  /** What `QUEUE_URL_PREFIX` names. */
  readonly urlPrefix: string;
  /** The URL for functions that run in another process. */
  readonly endpoint: string;
  /** Drops all messages. */
  readonly clear: () => void;
  /** From now on, delayed and failed messages never arrive, so only the sweep finds their work. */
  readonly leaveLaterToSweep: () => void;
};

type State = Queues & { readonly queues: Map<string, Queue>; isLaterLeft: boolean };

/** Survives `vi.resetModules`. */
const shared = globalThis as { queueServer?: Promise<string>; queues?: State };

/**
 * Replaces the queues of this worker with empty ones. Its SQS clients call them directly, which
 * needs a fraction of the CPU time of a request. Queues are created on first use.
 */
export async function openQueues(): Promise<Queues> {
  shared.queueServer ??= serve();
  const endpoint = await shared.queueServer;
  const state: State = {
    urlPrefix: `${endpoint}/000000000000/${randomUUID().slice(0, 8)}-`,
    endpoint,
    queues: new Map(),
    clear: () => state.queues.clear(),
    isLaterLeft: false,
    leaveLaterToSweep: () => {
      state.isLaterLeft = true;
    },
  };
  shared.queues = state;

  return state;
}

/** Returns the queues that `openQueues` has opened. */
export function openedQueues(): Queues {
  return current();
}

function current(): State {
  if (!shared.queues) {
    throw new Error('No queues were opened');
  }

  return shared.queues;
}

const definitions = new Map(
  workers
    .flatMap((worker) => [worker, { ...worker, ...deadLettersOf(worker) }])
    .map((definition) => [queueName(definition), definition]),
);

function queueAt(url: string): Queue {
  const { queues, urlPrefix } = current();
  const definition = url.startsWith(urlPrefix) && definitions.get(url.slice(urlPrefix.length));
  if (!definition) {
    throw new QueueDoesNotExist({
      message: 'The specified queue does not exist.',
      $metadata: { httpStatusCode: 400 },
    });
  }
  const queue = queues.get(url) ?? {
    isInOrder: definition.inOrder ?? false,
    visibilityMs: visibilitySeconds(definition) * secondMs,
    deduplicationIds: new Set(),
    messages: [],
  };
  queues.set(url, queue);

  return queue;
}

function invalid(message: string): SQSServiceException {
  return new SQSServiceException({
    name: 'InvalidParameterValue',
    message,
    $fault: 'client',
    $metadata: { httpStatusCode: 400 },
  });
}

const longestDelaySeconds = 900;
const pollMs = 20;

const operations = {
  SendMessage: (request: Sent) => {
    const { MessageBody, DelaySeconds = 0, MessageGroupId, MessageDeduplicationId = '' } = request;
    const queue = queueAt(request.QueueUrl);
    if (DelaySeconds > longestDelaySeconds || (queue.isInOrder && DelaySeconds > 0)) {
      throw invalid(`Value ${DelaySeconds} for parameter DelaySeconds is invalid.`);
    }
    if (queue.isInOrder && !(MessageGroupId && MessageDeduplicationId)) {
      throw invalid('The queue needs MessageGroupId and MessageDeduplicationId.');
    }
    const id = randomUUID();
    if (!(queue.isInOrder && queue.deduplicationIds.has(MessageDeduplicationId))) {
      queue.messages.push({
        id,
        body: MessageBody,
        group: MessageGroupId,
        receipt: '',
        visibleAtMs: laterMs(DelaySeconds),
        receiveCount: 0,
      });
    }
    queue.deduplicationIds.add(MessageDeduplicationId);

    return { MessageId: id, MD5OfMessageBody: md5Of(MessageBody) };
  },

  ReceiveMessage: async (request: Receiving, signal?: AbortSignal) => {
    const queue = queueAt(request.QueueUrl);
    const untilMs = Date.now() + (request.WaitTimeSeconds ?? 0) * secondMs;
    while (receivable(queue).length === 0 && Date.now() < untilMs && !signal?.aborted) {
      await pause(pollMs);
    }
    const received = receivable(queue).slice(0, request.MaxNumberOfMessages ?? 1);
    for (const message of received) {
      message.receipt = randomUUID();
      message.receiveCount += 1;
      message.visibleAtMs = Date.now() + queue.visibilityMs;
    }

    return received.length > 0 ? { Messages: received.map(toReceived) } : {};
  },

  DeleteMessageBatch: ({ QueueUrl, Entries }: Entries) => {
    const queue = queueAt(QueueUrl);
    const receipts = new Set(Entries.map(({ ReceiptHandle }) => ReceiptHandle));
    queue.messages = queue.messages.filter(({ receipt }) => !receipts.has(receipt));

    return successful(Entries);
  },

  ChangeMessageVisibilityBatch: ({
    QueueUrl,
    Entries,
  }: Entries<{ readonly VisibilityTimeout: number }>) => {
    const queue = queueAt(QueueUrl);
    for (const { ReceiptHandle, VisibilityTimeout } of Entries) {
      const message = queue.messages.find(({ receipt }) => receipt === ReceiptHandle);
      if (message) {
        message.visibleAtMs = laterMs(VisibilityTimeout);
      }
    }

    return successful(Entries);
  },

  GetQueueAttributes: ({ QueueUrl }: Request) => {
    const waiting = queueAt(QueueUrl).messages.filter(isVisible);

    return { Attributes: { ApproximateNumberOfMessages: String(waiting.length) } };
  },
};

/** A queue counts real seconds. */
function laterMs(seconds: number): number {
  const isNever = seconds > 0 && current().isLaterLeft;

  return isNever ? Number.POSITIVE_INFINITY : Date.now() + seconds * secondMs;
}

function isVisible({ visibleAtMs }: StoredMessage): boolean {
  return visibleAtMs <= Date.now();
}

/** In an ordered queue, a message waits until the earlier messages of its group are deleted. */
function receivable({ isInOrder, messages }: Queue): readonly StoredMessage[] {
  const held = new Set(messages.filter((message) => !isVisible(message)).map(({ group }) => group));

  return messages.filter(
    (message) => isVisible(message) && !(isInOrder && held.has(message.group)),
  );
}

function toReceived({ id, body, group, receipt, receiveCount }: StoredMessage) {
  return {
    MessageId: id,
    ReceiptHandle: receipt,
    Body: body,
    MD5OfBody: md5Of(body),
    Attributes: {
      ApproximateReceiveCount: String(receiveCount),
      ...(group === undefined ? {} : { MessageGroupId: group }),
    },
  };
}

function successful(entries: readonly Entry[]) {
  return { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] };
}

function md5Of(body: string): string {
  return createHash('md5').update(body).digest('hex');
}

async function perform(operation: string, request: object, signal?: AbortSignal): Promise<object> {
  type Run = (request: never, signal?: AbortSignal) => object | Promise<object>;
  const run = (operations as Readonly<Record<string, Run>>)[operation];
  if (!run) {
    throw invalid(`The queues of the tests do not know ${operation}.`);
  }

  return run(request as never, signal);
}

/** Serves the queues to functions that run in another process. */
async function serve(): Promise<string> {
  callDirectly();
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');

  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const operation = String(incoming.headers['x-amz-target']).replace('AmazonSQS.', '');
  const request = (await json(incoming)) as object;
  try {
    response.end(JSON.stringify(await perform(operation, request)));
  } catch (failure) {
    if (!(failure instanceof SQSServiceException)) {
      throw failure;
    }
    const { name, message } = failure;
    response.writeHead(400).end(JSON.stringify({ __type: `com.amazonaws.sqs#${name}`, message }));
  }
}

function callDirectly(): void {
  const { send } = SQSClient.prototype;
  SQSClient.prototype.send = async function sendInProcess(this: SQSClient, ...args: unknown[]) {
    const [command, options] = args as [
      { readonly input: Request },
      { readonly abortSignal?: AbortSignal }?,
    ];
    const { input } = command;
    if (!input.QueueUrl?.startsWith(current().endpoint)) {
      return Reflect.apply(send, this, args);
    }
    await nextTurn();
    const operation = command.constructor.name.replace(/Command$/, '');
    const output = await perform(operation, input, options?.abortSignal);

    return { ...output, $metadata: { httpStatusCode: 200 } };
  } as typeof send;
}
