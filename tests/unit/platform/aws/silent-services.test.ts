// Runs in a separate process: it loads the clients with other endpoints
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { config } from '#lib/platform/config.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { measureWaits } from '#tests/support/waiting.ts';

const limitMs = 300;
/** The SDK waits at most this long before its second try. */
const longestBackoffMs = 100;

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
    QUEUE_TIMEOUT_MS: String(limitMs),
    MAIL_TIMEOUT_MS: String(limitMs),
  });
});

afterAll(() => {
  silent.close();
});

async function expectTimeout(work: () => Promise<unknown>): Promise<number> {
  const { waitedMs } = await measureWaits(() =>
    expect(work()).rejects.toThrow('ms requestTimeout'),
  );

  return waitedMs;
}

describe('a service that accepts a call and never responds', () => {
  it('times out after two tries for a queue, so that the caller still gets a response', async () => {
    const { sendToWorker } = await import('#lib/platform/queue/queue.ts');

    expect(await expectTimeout(() => sendToWorker(workerDefinitions.mail, {}))).toBeLessThanOrEqual(
      2 * limitMs + longestBackoffMs,
    );
  });

  it('times out after one try for a mail, so that the worker can retry later', async () => {
    const { sendMail } = await import('#lib/platform/mail/ses.ts');
    const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

    expect(await expectTimeout(() => sendMail(mail))).toBeLessThanOrEqual(limitMs);
  });

  it('times out within seconds by default', () => {
    vi.stubEnv('QUEUE_TIMEOUT_MS', undefined);
    vi.stubEnv('MAIL_TIMEOUT_MS', undefined);

    expect(2 * config.queueTimeoutMs + longestBackoffMs).toBeLessThan(5_000);
    expect(config.mailTimeoutMs).toBeLessThan(6_000);
    vi.unstubAllEnvs();
  });
});
