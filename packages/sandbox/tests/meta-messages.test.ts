import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startSetup } from './setup.ts';

/** Serves a file of the given type. */
async function served(contentType: string, bytes = 3): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': contentType }).end(Buffer.alloc(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
}

async function customer(platform: 'FACEBOOK' | 'INSTAGRAM') {
  const world = await startSetup();
  const network = world.control.network(platform);
  const { accessToken } = await network.issueTokens({ userId: '17' });
  const from = { id: '42', name: 'Charles Babbage' };
  await network.sendEvent({ userId: '17', type: 'message', text: 'Hi', from, deliveries: 0 });
  const send = async (message: object) => {
    const proof = createHmac('sha256', 'sandbox-facebook-secret').update(accessToken).digest('hex');
    const path = `${platform.toLowerCase()}/v25.0/17/messages?appsecret_proof=${proof}`;
    const response = await fetch(`${world.url}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({ recipient: { id: '42' }, messaging_type: 'RESPONSE', message }),
    });

    return { status: response.status, body: await response.text() };
  };

  return { network, send };
}

test('Meta accepts a message with a text or with a file, which it fetches', async () => {
  const { network, send } = await customer('FACEBOOK');
  const url = await served('image/jpeg');
  const attachment = { type: 'image', payload: { url } };

  const answers = [
    await send({ attachment, metadata: 'tag' }),
    await send({ text: 'Hello', attachment }),
    await send({}),
  ];

  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400]);
  expect(await network.replies('17')).toMatchObject([
    { text: '', attachments: [{ kind: 'image', url, bytes: 3 }] },
  ]);
});

test.each([
  ['a video that is announced as an image', 'FACEBOOK', 'image', 'video/mp4', 3, 400],
  ['an image that is announced as a video', 'FACEBOOK', 'video', 'image/png', 3, 400],
  ['a WebP image', 'FACEBOOK', 'image', 'image/webp', 3, 400],
  ['a GIF', 'FACEBOOK', 'image', 'image/gif', 3, 200],
  ['a GIF', 'INSTAGRAM', 'image', 'image/gif', 3, 400],
  ['an image of over 8 MB', 'INSTAGRAM', 'image', 'image/jpeg', 8_000_001, 400],
  ['a video of over 25 MB', 'INSTAGRAM', 'video', 'video/mp4', 25_000_001, 400],
  ['a video', 'INSTAGRAM', 'video', 'video/mp4', 3, 200],
] as const)('Meta: %s on %s as %s', async (_, platform, type, contentType, bytes, status) => {
  const { send } = await customer(platform);
  const url = await served(contentType, bytes);

  const answer = await send({ attachment: { type, payload: { url } } });

  expect([answer.status, answer.body]).toEqual([
    status,
    expect.stringContaining(status === 200 ? 'message_id' : 'Upload attachment failure'),
  ]);
});

test('Meta rejects a message with a file that cannot be fetched', async () => {
  const { send } = await customer('FACEBOOK');
  const attachment = { type: 'image', payload: { url: 'http://127.0.0.1:1/file' } };

  const { status, body } = await send({ attachment });

  expect([status, body]).toEqual([400, expect.stringContaining('Failed to fetch the file')]);
});

const web = { type: 'web_url', title: 'Prices', url: 'https://example.com/prices' };
const tap = { type: 'postback', title: 'Call me', payload: 'call' };

test.each([
  ['a title of 21 characters', { buttons: [{ ...web, title: 'x'.repeat(21) }] }],
  ['an FTP URL', { buttons: [{ ...web, url: 'ftp://example.com' }] }],
  ['a payload of 1,001 characters', { buttons: [{ ...tap, payload: 'x'.repeat(1_001) }] }],
  ['an unknown button type', { buttons: [{ ...tap, type: 'phone' }] }],
  ['both a URL and a payload', { buttons: [{ ...web, payload: 'call' }] }],
  ['four buttons', { buttons: [web, web, web, web] }],
  ['no buttons', { buttons: [] }],
  ['a text of 641 characters', { text: 'x'.repeat(641) }],
  ['another template', { template_type: 'generic' }],
])('Meta rejects a button template with %s', async (_, change) => {
  const { network, send } = await customer('INSTAGRAM');
  const payload = { template_type: 'button', text: 'Hello', buttons: [web, tap], ...change };

  const { status, body } = await send({ attachment: { type: 'template', payload } });

  expect([status, body]).toEqual([400, expect.stringContaining('message.attachment.payload')]);
  expect(await network.replies('17')).toEqual([]);
});

test.each([
  ['another label', { label: 'Prices 2' }],
  ['a button with a URL', { label: 'Prices' }],
  ['another customer', { from: { id: '43', name: 'Ada' } }],
  ['another account', { userId: '18' }],
  ['an unknown message', { replyId: 'unknown' }],
])('the sandbox returns 400 for a tap on %s', async (_, change) => {
  const { network, send } = await customer('FACEBOOK');
  const payload = { template_type: 'button', text: 'Hello', buttons: [web, tap] };
  await send({ attachment: { type: 'template', payload } });
  const [reply] = await network.replies('17');
  const request = {
    userId: '17',
    from: { id: '42', name: 'Charles Babbage' },
    replyId: String(reply?.id),
    label: 'Call me',
    deliveries: 0,
  };

  await expect(network.tap({ ...request, ...change })).rejects.toThrow('400');
  expect(await network.tap(request)).toHaveProperty('eventId');
});
