// In a process of its own: the clients are loaded with addresses of their own
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerDefinitions } from '#schemas/messages.ts';

/** Takes every connection and never answers. */
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

describe.concurrent('a service that takes the call and never answers', () => {
  it('is given up within five seconds for a queue, so that the caller still gets an answer', async () => {
    const { sendToWorker } = await import('#lib/platform/queue/queue.ts');

    expect(await millisecondsOf(sendToWorker(workerDefinitions.mail, {}))).toBeLessThan(5_000);
  });

  it('is given up within six seconds for a mail, so that the worker can try again later', async () => {
    const { sendMail } = await import('#lib/platform/mail/ses.ts');
    const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

    expect(await millisecondsOf(sendMail(mail))).toBeLessThan(6_000);
  });
});
