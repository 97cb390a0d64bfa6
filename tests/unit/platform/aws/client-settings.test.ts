// Runs in a separate process: it loads the clients with other endpoints
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { workerDefinitions } from '#schemas/messages.ts';

/** Rejects every call with 400. */
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(400).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = ['DYNAMODB', 'SECRETS_MANAGER', 'SQS', 'SES', 'S3'];
  Object.assign(
    process.env,
    Object.fromEntries(names.map((name) => [`${name}_ENDPOINT`, address])),
  );
});

afterAll(() => {
  server.close();
});

const file = { key: 'a', downloadName: 'a.csv', contentType: 'text/csv' };

const firstCalls = [
  async () => {
    const { get } = await import('#lib/platform/db/read.ts');
    await get({ pk: 'A', sk: 'B' });
  },
  async () => {
    const { getSecrets } = await import('#lib/platform/secrets/secrets.ts');
    await getSecrets();
  },
  async () => {
    const { sendToWorker } = await import('#lib/platform/queue/queue.ts');
    await sendToWorker(workerDefinitions.mail, {});
  },
  async () => {
    const { sendMail } = await import('#lib/platform/mail/ses.ts');
    await sendMail({ to: 'ada@example.com', subject: 'Hi', text: 'Hi', html: '<p>Hi' });
  },
  async () => {
    const { saveFile } = await import('#lib/platform/storage/files.ts');
    await saveFile(
      file,
      (async function* () {
        yield 'a';
      })(),
    );
  },
];

test('AWS clients do not read settings from the profiles of a developer', async () => {
  const readFile = vi.spyOn(process.getBuiltinModule('node:fs/promises'), 'readFile');
  for (const call of firstCalls) {
    await expect(call()).rejects.toThrow();
  }

  expect(readFile.mock.calls.filter(([path]) => String(path).includes('.aws'))).toEqual([]);
});
