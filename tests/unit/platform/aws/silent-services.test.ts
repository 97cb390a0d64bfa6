// In a process of its own: it loads the clients with other endpoints
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerDefinitions } from '#schemas/messages.ts';

/** Accepts every connection and never responds. */
let silent: Server;

beforeAll(async () => {
  silent = createServer((socket) => socket.resume().on('error', () => undefined));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  Object.assign(process.env, {
    SQS_ENDPOINT: `http://127.0.0.1:${port}`,
    SES_ENDPOINT: `http://127.0.0.1:${port}`,
    AWS_REGION: 'us-east-1',
  });
});

afterAll(() => {
  silent.close();
});

async function millisecondsOf(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await expect(work).rejects.toThrow('ms requestTimeout');

  return performance.now() - startedAt;
}

describe.concurrent('a service that accepts a call and never responds', () => {
  it('times out within five seconds for a queue, so that the caller still gets a response', async () => {
    const { sendToWorker } = await import('#lib/platform/queue/queue.ts');

    expect(await millisecondsOf(sendToWorker(workerDefinitions.mail, {}))).toBeLessThan(5_000);
  });

  it('times out within six seconds for a mail, so that the worker can retry later', async () => {
    const { sendMail } = await import('#lib/platform/mail/ses.ts');
    const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

    expect(await millisecondsOf(sendMail(mail))).toBeLessThan(6_000);
  });
});
