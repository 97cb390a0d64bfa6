import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { networkApps, startSetup, type World } from './setup.ts';

const appSecret = 'sandbox-facebook-secret';
const ada = { id: 'customer-1', name: 'Ada' };

type Received = {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** A server that records the requests it receives and echoes the challenge of a handshake. */
async function startService(status = 200) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ url: request.url ?? '', headers: request.headers, body: await text(request) });
    const query = new URL(request.url ?? '/', 'http://service').searchParams;
    response.writeHead(status).end(query.get('hub.challenge') ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();

  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    received,
  };
}

async function publishOn({ url }: World, accessToken: string, message: string): Promise<Response> {
  const proof = createHmac('sha256', appSecret).update(accessToken).digest('hex');

  return fetch(`${url}/facebook/v25.0/page-1/feed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
    body: new URLSearchParams({ message, appsecret_proof: proof }),
  });
}

test('the sandbox serves a network under its prefix, and uses its real paths in logs and faults', async () => {
  const world = await startSetup(networkApps);
  const facebook = world.control.network('FACEBOOK');
  const { accessToken } = await facebook.issueTokens({ userId: 'page-1', userName: 'Bakery' });
  await world.control.addFault({
    service: 'facebook',
    path: '^/v25.0/page-1/feed$',
    mode: 'down',
    times: 1,
  });

  expect((await publishOn(world, accessToken, 'Hello')).status).toBe(503);
  const answer = await publishOn(world, accessToken, 'Hello');
  expect(answer.headers.get('x-app-usage')).toContain('call_count');
  const { id } = (await answer.json()) as { id: string };

  const [call] = await world.control.requests({ service: 'facebook' });
  expect(call).toMatchObject({ path: '/v25.0/page-1/feed', unexpected: false });
  await facebook.setMetrics(id, { likes: 3 });
  await facebook.setMetrics(id, { shares: 1 });
  expect(await facebook.posts('page-1')).toMatchObject([
    { id, text: 'Hello', media: [], metrics: { likes: 3, shares: 1 } },
  ]);
  expect(await facebook.posts('page-2')).toEqual([]);
  await expect(facebook.setMetrics('none', { likes: 1 })).rejects.toThrow('404');
});

test('the sandbox records an unknown network path as unexpected', async () => {
  const { url, control } = await startSetup(networkApps);
  const answer = await fetch(`${url}/facebook/no/such/path`);

  expect(answer.status).toBe(400);
  expect(await control.requests({ service: 'facebook' })).toMatchObject([{ unexpected: true }]);
});

test('the sandbox rejects a revoked token, and clears all posts on reset', async () => {
  const world = await startSetup(networkApps);
  const facebook = world.control.network('FACEBOOK');
  const { accessToken } = await facebook.issueTokens({ userId: 'page-1' });
  await publishOn(world, accessToken, 'Hello');
  await facebook.revokeTokens(accessToken);

  expect(await (await publishOn(world, accessToken, 'Again')).json()).toMatchObject({
    error: { code: 190, error_subcode: 460 },
  });
  await expect(facebook.revokeTokens('made-up')).rejects.toThrow('404');
  await world.control.reset();
  expect(await facebook.posts()).toEqual([]);
});

test('the sandbox delivers a signed event the requested number of times and returns the responses', async () => {
  const service = await startService(202);
  const { control } = await startSetup(networkApps);
  await control.setServiceUrl(`${service.url}/`);
  const { eventId, responses } = await control.network('FACEBOOK').sendEvent({
    userId: 'page-1',
    type: 'comment',
    text: 'How much?',
    from: ada,
    deliveries: 3,
  });

  expect(responses).toEqual([{ status: 202 }, { status: 202 }, { status: 202 }]);
  expect(service.received).toHaveLength(3);
  for (const { url, headers, body } of service.received) {
    const signature = createHmac('sha256', appSecret).update(body).digest('hex');
    expect(url).toBe('/webhooks/facebook');
    expect(headers['x-hub-signature-256']).toBe(`sha256=${signature}`);
    expect(body).toContain(eventId);
  }
});

test('the sandbox needs a service URL to deliver an event, but not to create one without deliveries', async () => {
  const { control } = await startSetup(networkApps);
  const facebook = control.network('FACEBOOK');
  const event = { userId: 'page-1', type: 'message', text: 'Hi', from: ada } as const;

  await expect(facebook.sendEvent(event)).rejects.toThrow('POST /_sandbox/service-url');
  const { responses, delivery } = await facebook.sendEvent({ ...event, deliveries: 0 });
  expect(responses).toEqual([]);
  expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ object: 'page' });
  await control.setServiceUrl('http://127.0.0.1:9');
  expect((await facebook.sendEvent(event)).responses).toEqual([{ status: null }]);
});

test('the sandbox reports the invalid field of a control call', async () => {
  const { url } = await startSetup(networkApps);
  const answer = await fetch(`${url}/_sandbox/social/facebook/events`, {
    method: 'POST',
    body: JSON.stringify({ userId: 'page-1', type: 'wave', text: 'Hi', from: ada }),
  });

  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('type ')]);
  expect((await fetch(`${url}/_sandbox/social/myspace/posts`)).status).toBe(404);
});

test('the sandbox accepts a handshake when the callback returns the challenge', async () => {
  const [good, bad] = await Promise.all([startService(), startService(403)]);
  const { control } = await startSetup(networkApps);
  await control.setServiceUrl(good.url);
  const facebook = control.network('FACEBOOK');

  expect(await facebook.shakeHands()).toMatchObject({ isAccepted: true, status: 200 });
  expect(good.received[0]?.url).toContain('hub.verify_token=sandbox-facebook-verify');
  expect(await facebook.shakeHands({ callbackUrl: `${bad.url}/cb` })).toMatchObject({
    isAccepted: false,
    status: 403,
  });
});
