import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { queueName, visibilitySeconds, type WorkerDefinition } from '#schemas/contract.ts';
import { startAwsEmulator } from '#scripts/dev/stack/aws-emulator.ts';
import { listeningPort } from '#scripts/dev/stack/listening-port.ts';
import { startQueuePoller } from '#scripts/dev/stack/queue-poller.ts';
import { patiently } from '#tests/support/patience.ts';

type Answer = { readonly status?: number; readonly failed?: boolean; readonly body: unknown };

const region = 'us-east-1';
const maxReceiveCount = 2;
const worker = {
  name: 'work',
  description: '',
  // A visibility timeout of one second.
  timeoutSeconds: 1 / 6,
  batchSize: 10,
  maxReceiveCount,
};
const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) {
    await end();
  }
});

const orderly = { ...worker, name: 'orderly-work', inOrder: true };
const patient = { ...worker, name: 'patient-work', timeoutSeconds: 10, inOrder: false };
const patientlyOrderly = { ...patient, name: 'patient-orderly-work', inOrder: true };

type Feeding = {
  readonly fed?: WorkerDefinition;
  readonly batchSize?: number;
  /** The URL of a queue that does not exist yet. Default: a new queue. */
  readonly at?: string;
};

/** Starts a queue, and a server that replaces the functions and returns the given responses. */
async function feed(
  answer: (event: SQSEvent) => Answer | Promise<Answer>,
  { batchSize = 10, at, fed = worker }: Feeding = {},
) {
  const events: SQSEvent[] = [];
  const problems: string[] = [];
  const lambdaUrl = await startLambda((event) => {
    events.push(event);

    return answer(event);
  });
  const endpoint = at ?? (await startQueue());
  const sqs = new SQSClient({ endpoint });
  const queueUrl = `${endpoint}/000000000000/social-leads-test-${queueName(fed)}`;
  const start = () => {
    const poller = startQueuePoller({
      sqs: { endpoint },
      lambdaUrl,
      region,
      queueUrl,
      functionName: 'social-leads-test-work',
      batchSize,
      visibilitySeconds: visibilitySeconds(fed),
      onProblem: (line) => problems.push(line),
    });
    endings.push(poller.close);
  };

  return { events, problems, sqs, queueUrl, start };
}

async function startQueue(): Promise<string> {
  const emulator = await startAwsEmulator({
    port: 0,
    stage: 'test',
    region,
    workers: [worker, orderly, patient, patientlyOrderly],
  });
  endings.push(emulator.close);

  return emulator.url;
}

async function startLambda(answer: (event: SQSEvent) => Answer | Promise<Answer>): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const { status = 200, failed = false, body: payload } = await answer(JSON.parse(body));
    response.writeHead(status, failed ? { 'x-amz-function-error': 'Unhandled' } : {});
    response.end(JSON.stringify(payload));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();

  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

/** Counts messages that are waiting or in flight, or only waiting ones. */
async function left(sqs: SQSClient, queueUrl: string, only?: 'visible'): Promise<number> {
  const { Attributes: attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
  );

  const visible = Number(attributes.ApproximateNumberOfMessages);

  return only ? visible : visible + Number(attributes.ApproximateNumberOfMessagesNotVisible);
}

function receivedBodies(events: readonly SQSEvent[]): string[] {
  return events.flatMap((event) => event.Records.map((record) => record.body));
}

describe('a function fed by a queue', () => {
  test('receives the event that AWS sends', async () => {
    const { events, sqs, queueUrl, start } = await feed(() => ({ body: null }));
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: '{"a":1}',
        MessageAttributes: { trace: { DataType: 'String', StringValue: 'abc' } },
      }),
    );

    start();

    await vi.waitFor(() => expect(events).toHaveLength(1), patiently);
    expect(events[0]?.Records[0]).toMatchObject({
      messageId: expect.any(String),
      receiptHandle: expect.any(String),
      body: '{"a":1}',
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d+$/) },
      messageAttributes: { trace: { dataType: 'String', stringValue: 'abc' } },
      eventSource: 'aws:sqs',
      eventSourceARN: `arn:aws:sqs:${region}:000000000000:social-leads-test-work`,
      awsRegion: region,
    });
  });

  test('has its messages deleted after it succeeded', async () => {
    const { events, sqs, queueUrl, start } = await feed(() => ({ body: null }));
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'a' }));

    start();

    await vi.waitFor(async () => expect(await left(sqs, queueUrl)).toBe(0), patiently);
    expect(receivedBodies(events)).toEqual(['a']);
  });

  test('never receives more messages at once than its batch size', async () => {
    const { events, sqs, queueUrl, start } = await feed(() => ({ body: null }), { batchSize: 2 });
    await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: ['a', 'b', 'c', 'd', 'e'].map((body) => ({ Id: body, MessageBody: body })),
      }),
    );

    start();

    await vi.waitFor(() => expect(receivedBodies(events)).toHaveLength(5), patiently);
    expect(events.every((event) => event.Records.length <= 2)).toBe(true);
  });

  test('receives again only messages it reported as failed, which end in the dead-letter queue', async () => {
    const { events, sqs, queueUrl, start } = await feed((event) => ({
      body: {
        batchItemFailures: event.Records.filter((record) => record.body === 'bad').map(
          (record) => ({ itemIdentifier: record.messageId }),
        ),
      },
    }));
    await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: ['good', 'bad'].map((body) => ({ Id: body, MessageBody: body })),
      }),
    );

    start();

    await vi.waitFor(async () => expect(await left(sqs, queueUrl)).toBe(0), patiently);
    expect(receivedBodies(events).filter((body) => body === 'good')).toHaveLength(1);
    expect(receivedBodies(events).filter((body) => body === 'bad')).toHaveLength(maxReceiveCount);
    const { Messages: dead = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: `${queueUrl}-dlq` }),
    );
    expect(dead.map((message) => message.Body)).toEqual(['bad']);
  });

  test('receives the messages of a group in order, one at a time, while other groups proceed', async () => {
    let failures = 1;
    const { events, sqs, queueUrl, start } = await feed(
      ({ Records: records }) => {
        const isFailure = records.some(({ body }) => body === 'a1') && failures > 0;
        failures -= isFailure ? 1 : 0;
        const failed = isFailure ? records.filter(({ body }) => body.startsWith('a')) : [];

        return {
          body: {
            batchItemFailures: failed.map(({ messageId: itemIdentifier }) => ({ itemIdentifier })),
          },
        };
      },
      { fed: orderly },
    );
    for (const body of ['a1', 'b1', 'a2', 'b2', 'a3']) {
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: body,
          MessageGroupId: body.slice(0, 1),
          MessageDeduplicationId: body,
        }),
      );
    }

    start();

    await vi.waitFor(async () => expect(await left(sqs, queueUrl)).toBe(0), patiently);
    const received = receivedBodies(events);
    expect(received.filter((body) => body.startsWith('a'))).toEqual(['a1', 'a1', 'a2', 'a3']);
    expect(received.filter((body) => body.startsWith('b'))).toEqual(['b1', 'b2']);
    expect(received.indexOf('b2')).toBeLessThan(received.lastIndexOf('a1'));
    expect(events[0]?.Records[0]?.attributes.MessageGroupId).toMatch(/^[ab]$/);
  });

  test.each([patient, patientlyOrderly])(
    'does not delay the message of a tenant by 100 of another one in $name',
    async (fed) => {
      const { events, sqs, queueUrl, start } = await feed(
        async () => {
          // Busy until all messages have been received.
          await vi.waitFor(
            async () => expect(await left(sqs, queueUrl, 'visible')).toBe(0),
            patiently,
          );

          return { body: null };
        },
        { fed, batchSize: 1 },
      );
      const bodies = Array.from({ length: 101 }, (_, number) =>
        JSON.stringify({ pk: number < 100 ? 'ORG#loud' : 'ORG#quiet', sk: String(number) }),
      );
      for (const body of bodies) {
        const number = bodies.indexOf(body);
        const group = { MessageGroupId: `group-${number}`, MessageDeduplicationId: `${number}` };
        await sqs.send(
          new SendMessageCommand({
            QueueUrl: queueUrl,
            MessageBody: body,
            ...(fed.inOrder ? group : {}),
          }),
        );
      }

      start();

      await vi.waitFor(() => expect(events).toHaveLength(101), patiently);
      const place = receivedBodies(events).findIndex((body) => body.includes('quiet'));
      expect(place).toBeLessThanOrEqual(4);
    },
  );

  test.each([
    ['failed as a whole', { failed: true, body: { errorMessage: 'boom' } }],
    ['does not exist', { status: 404, body: { Message: 'Function not found' } }],
    [
      'reported a message that is not in the batch',
      {
        body: { batchItemFailures: [{ itemIdentifier: 'unknown' }] },
      },
    ],
    ['reported an empty message id', { body: { batchItemFailures: [{ itemIdentifier: '' }] } }],
  ])('receives all messages again when it %s', async (_case, answer) => {
    const { events, problems, sqs, queueUrl, start } = await feed(() => answer);
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'a' }));

    start();

    await vi.waitFor(() => expect(receivedBodies(events)).toEqual(['a', 'a']), patiently);
    expect(problems[0]).toMatch(/^social-leads-test-work failed: \{/);
  });

  test('is fed as soon as its queue is reachable', async () => {
    const port = await listeningPort(0, 'AWS_PORT');
    const { events, problems, sqs, queueUrl, start } = await feed(() => ({ body: null }), {
      at: `http://127.0.0.1:${port}`,
    });

    start();
    await vi.waitFor(() => expect(problems[0]).toMatch(/ECONNREFUSED/), patiently);
    endings.push(
      (await startAwsEmulator({ port, stage: 'test', region, workers: [worker] })).close,
    );
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'a' }));

    await vi.waitFor(() => expect(receivedBodies(events)).toEqual(['a']), patiently);
  });
});
