import { expect, test } from 'vitest';
import { startSetup } from './setup.ts';

type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

async function startTwitter() {
  const { url, control, advance } = await startSetup();
  const network = control.network('TWITTER');
  const { accessToken } = await network.issueTokens({ userId: '1111' });
  const send = async (
    method: string,
    path: string,
    body: FormData | string | null,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${url}/twitter${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, ...headers },
      body,
    });

    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const call = (method: string, path: string, body?: object) =>
    send(method, path, body ? JSON.stringify(body) : null);

  return { network, control, advance, call, send };
}

test('X sends rate limit headers with every response, including a 429', async () => {
  const { call, advance } = await startTwitter();
  const first = await call('GET', '/2/users/me');
  for (let made = 1; made < 75; made += 1) {
    await call('GET', '/2/users/me');
  }
  const refused = await call('GET', '/2/users/me');

  expect(first.headers.get('x-rate-limit-limit')).toBe('75');
  expect(first.headers.get('x-rate-limit-remaining')).toBe('74');
  expect(refused).toMatchObject({ status: 429, body: { title: 'Too Many Requests' } });
  expect(refused.headers.get('x-rate-limit-remaining')).toBe('0');
  const resetMs = Number(refused.headers.get('x-rate-limit-reset')) * 1_000 - Date.now();
  expect(resetMs).toBeGreaterThan(14 * 60_000);
  advance(15 * 60_000);
  expect(await call('GET', '/2/users/me')).toMatchObject({ status: 200 });
});

test('X returns 404 in its own format for an unknown path, which is recorded as unexpected', async () => {
  const { call, control } = await startTwitter();

  expect(await call('GET', '/2/nothing')).toMatchObject({
    status: 404,
    body: { title: 'Not Found', status: 404 },
  });
  expect(await control.requests({ service: 'twitter' })).toMatchObject([{ unexpected: true }]);
});

test('X accepts media in a post only after all bytes are uploaded', async () => {
  const { call } = await startTwitter();
  const medium = { media_type: 'image/png', total_bytes: 4, media_category: 'tweet_image' };
  const { body } = await call('POST', '/2/media/upload/initialize', medium);
  const { id } = (body as { data: { id: string } }).data;
  const append = (segment_index: number) =>
    call('POST', `/2/media/upload/${id}/append`, { segment_index, media: 'AAA=' });
  const post = () => call('POST', '/2/tweets', { text: 'Look', media: { media_ids: [id] } });

  await append(0);
  expect(await call('POST', `/2/media/upload/${id}/finalize`)).toMatchObject({ status: 400 });
  expect(await post()).toMatchObject({ status: 400 });
  await append(1);
  expect(await call('POST', `/2/media/upload/${id}/finalize`)).toMatchObject({ status: 200 });
  expect(await post()).toMatchObject({ status: 201 });
});

test.each([
  ['a file', new Blob(['ABCD'], { type: 'image/png' })],
  ['base64', Buffer.from('ABCD').toString('base64')],
])('X accepts a media segment as %s of a form', async (_, media) => {
  const { call, send } = await startTwitter();
  const medium = { media_type: 'image/png', total_bytes: 4, media_category: 'tweet_image' };
  const { body } = await call('POST', '/2/media/upload/initialize', medium);
  const { id } = (body as { data: { id: string } }).data;
  const append = (index: string) => {
    const form = new FormData();
    form.append('segment_index', index);
    form.append('media', media);

    return send('POST', `/2/media/upload/${id}/append`, form);
  };

  for (const index of ['', '-1', '1.5', '10000']) {
    expect(await append(index)).toMatchObject({ status: 400 });
  }
  expect(await append('0')).toMatchObject({ status: 200 });
  expect(await call('POST', `/2/media/upload/${id}/finalize`)).toMatchObject({
    body: { data: { size: 4 } },
  });
});

test('X rejects a form that cannot be parsed', async () => {
  const { call, send } = await startTwitter();
  const medium = { media_type: 'image/png', total_bytes: 4, media_category: 'tweet_image' };
  const { body } = await call('POST', '/2/media/upload/initialize', medium);
  const { id } = (body as { data: { id: string } }).data;
  const headers = { 'content-type': 'multipart/form-data; boundary=none' };

  expect(await send('POST', `/2/media/upload/${id}/append`, 'no form', headers)).toMatchObject({
    status: 400,
    body: { title: 'Invalid Request' },
  });
});

test('X returns only the requested fields of a user, and rejects unknown ones', async () => {
  const { call } = await startTwitter();

  expect((await call('GET', '/2/users/me')).body).toEqual({
    data: { id: '1111', name: 'Account 1111', username: 'Account_1111' },
  });
  expect((await call('GET', '/2/users/me?user.fields=public_metrics,url')).body).toHaveProperty(
    'data.public_metrics.followers_count',
  );
  expect(await call('GET', '/2/users/me?user.fields=public_metric')).toMatchObject({ status: 400 });
});

test('X accepts four photos, or one GIF or video in a post', async () => {
  const { call } = await startTwitter();
  const upload = async (media_category: string) => {
    const medium = { media_type: 'image/png', total_bytes: 2, media_category };
    const { body } = await call('POST', '/2/media/upload/initialize', medium);
    const { id } = (body as { data: { id: string } }).data;
    await call('POST', `/2/media/upload/${id}/append`, { segment_index: 0, media: 'AAA=' });
    await call('POST', `/2/media/upload/${id}/finalize`);

    return id;
  };
  const post = async (...kinds: string[]) => {
    const media_ids = await Promise.all(kinds.map(upload));

    return (await call('POST', '/2/tweets', { text: 'Look', media: { media_ids } })).status;
  };

  expect(await post('tweet_image', 'tweet_image')).toBe(201);
  expect(await post('tweet_gif')).toBe(201);
  expect(await post('tweet_gif', 'tweet_image')).toBe(400);
});

test('X limits a post to a weighted length of 280 and requires text or media', async () => {
  const { call } = await startTwitter();

  expect(await call('POST', '/2/tweets', { text: 'é'.repeat(280) })).toMatchObject({ status: 201 });
  expect(await call('POST', '/2/tweets', { text: '語'.repeat(141) })).toMatchObject({
    status: 403,
  });
  expect(await call('POST', '/2/tweets', {})).toMatchObject({ status: 400 });
});

test('X rejects user tokens for webhook endpoints', async () => {
  const { call } = await startTwitter();

  expect(await call('GET', '/2/webhooks')).toMatchObject({ status: 401 });
  expect(await call('GET', '/2/activity/subscriptions')).toMatchObject({ status: 401 });
});
