import { once } from 'node:events';
import { createServer } from 'node:http';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as deliverMails } from '#functions/workers/mail-delivery.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { write } from '#lib/platform/db/write.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { queueName, visibilitySeconds, type WorkerDefinition } from '#schemas/contract.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { startQueuePoller } from '#scripts/dev/stack/queue-poller.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { patiently } from '#tests/support/patience.ts';
import { storeItem } from '#tests/support/table.ts';
import { sqsEvent } from '#tests/support/work.ts';

type Handler = ReturnType<typeof worker>;

const owner = keys.conversation('0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f', 'conversation');
const endings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) {
    await end();
  }
  await sandbox.clearFaults();
});

/** Passes messages to a worker from a queue with the visibility timeout of the deployment. */
async function feed(definition: WorkerDefinition, handler: Handler): Promise<void> {
  const server = createServer(async (request, response) => {
    const event: SQSEvent = JSON.parse((await request.toArray()).join(''));
    response.end(JSON.stringify(await handler(event, lambdaContext())));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(async () => server.close());
  endings.push(async () => server.closeAllConnections());
  const { port } = server.address() as { readonly port: number };
  const poller = startQueuePoller({
    sqs: { endpoint: String(process.env.SQS_ENDPOINT) },
    lambdaUrl: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    queueUrl: `${process.env.QUEUE_URL_PREFIX}${queueName(definition)}`,
    functionName: definition.name,
    batchSize: definition.batchSize,
    visibilitySeconds: visibilitySeconds(definition),
    onProblem: () => {},
  });
  endings.push(poller.close);
}

describe('a transient failure', () => {
  const done: string[] = [];
  let failures = 0;

  const handle = async ({ key }: { readonly key: Key }) => {
    if (failures > 0) {
      failures -= 1;
      throw new Error('The table did not answer');
    }
    done.push(key.sk);

    return 'done' as const;
  };
  const schema = { parse: () => ({}) as never };

  async function send(workId: string) {
    const payload = {} as never;
    const planned = planWork('inboundEvent', { owner, payload, group: 'conversation', workId });
    await write(planned);

    return planned.key;
  }

  test('does not hold up an ordered conversation for ten seconds', async () => {
    done.length = 0;
    failures = 1;
    await feed(workerDefinitions.inboundEvent, worker('inboundEvent', schema, handle));
    const first = await send('first');
    const second = await send('second');

    await vi.waitFor(() => expect(done).toEqual([first.sk, second.sk]), patiently);
  });

  test.each([
    ['repeats a redelivered message', '2', 1],
    ['drops a duplicate', '1', 0],
  ])('leaves the lease behind %s', async (_title, received, failed) => {
    const { pk, sk } = planWork('messageOutcome', { owner, payload: {} as never }).key;
    const held = { payload: '{}', leaseId: 'of-the-crashed-one', leaseUntil: timestamp(4_000) };
    await storeItem({ pk, sk, ...held });
    const event = sqsEvent([{ MessageId: 'redelivered', Body: JSON.stringify({ pk, sk }) }]);
    for (const { attributes } of event.Records) {
      attributes.ApproximateReceiveCount = received;
    }
    const { batchItemFailures } = await worker(
      'messageOutcome',
      schema,
      handle,
    )(event, lambdaContext());

    expect(batchItemFailures).toHaveLength(failed);
  });

  test('of a connection delays a mail by seconds and sends it once', async () => {
    const email = freshEmail();
    await sandbox.addFault({ service: 'ses', mode: 'refuse', times: 1 });
    await feed(workerDefinitions.mail, deliverMails);
    await write(
      await planMail(owner, { to: email, subject: 'Hello', text: 'Hello', html: 'Hello' }),
    );

    await vi.waitFor(
      async () => expect((await sandbox.mails()).filter(({ to }) => to === email)).toHaveLength(1),
      patiently,
    );
  });
});
