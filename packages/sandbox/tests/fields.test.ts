import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Platform } from '../src/platforms.ts';
import { startSetup } from './setup.ts';

/** Calls a network as an account that has one post with one comment. */
async function startAccount(platform: Platform, userId = 'account-1') {
  const { url, control, advance } = await startSetup();
  const network = control.network(platform);
  const { accessToken } = await network.issueTokens({ userId, userName: 'Bakery' });
  const { id: postId } = await network.makePost({ userId, text: 'Fresh bread' });
  const proof = createHmac('sha256', 'sandbox-facebook-secret').update(accessToken).digest('hex');
  const call = async (path: string, init: RequestInit = {}) => {
    const address = new URL(`${url}/${platform.toLowerCase()}${path}`);
    if (platform === 'FACEBOOK') {
      address.searchParams.set('appsecret_proof', proof);
    }
    const response = await fetch(address, {
      ...init,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    });

    return { status: response.status, body: await response.json() };
  };

  return { call, postId, network, advance };
}

const v25 = '/v25.0';

describe('Graph API fields', () => {
  test('returns id and name of a page, unless others are requested', async () => {
    const { call } = await startAccount('FACEBOOK');

    expect((await call(`${v25}/account-1`)).body).toEqual({ id: 'account-1', name: 'Bakery' });
    expect((await call(`${v25}/me?fields=category, link`)).body).toEqual({
      id: 'account-1',
      category: 'Business',
      link: 'https://www.facebook.com/account-1',
    });
    // A documented field without a value is omitted.
    expect((await call(`${v25}/me?fields=name.as(title),website`)).body).toEqual({
      id: 'account-1',
      title: 'Bakery',
    });
  });

  test.each([
    ['FACEBOOK', '/me?fields=id,nope', 'nope', 'Page'],
    ['FACEBOOK', '/me?fields=name,name2', 'name2', 'Page'],
    ['FACEBOOK', '/me?fields=name&fields=nope', 'nope', 'Page'],
    ['FACEBOOK', '/account-1/published_posts?fields=mesage', 'mesage', 'PagePost'],
    ['FACEBOOK', '/account-1/published_posts?fields=comments{mesage}', 'mesage', 'Comment'],
    ['FACEBOOK', '/account-1/stories?fields=id', 'id', 'Stories'],
    [
      'FACEBOOK',
      '/account-1/insights?metric=page_media_view&fields=value',
      'value',
      'InsightsResult',
    ],
    ['INSTAGRAM', '/me?fields=userid', 'userid', 'IGUser'],
    ['INSTAGRAM', '/account-1/media?fields=message', 'message', 'IGMedia'],
    ['INSTAGRAM', '/account-1/media?fields=comments{replies{replies}}', 'replies', 'IGComment'],
  ] as const)('rejects an unknown field: %s %s', async (platform, path, field, type) => {
    const { call } = await startAccount(platform);

    expect(await call(`${v25}${path}`)).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 100,
          type: 'OAuthException',
          message: `(#100) Tried accessing nonexisting field (${field}) on node type (${type})`,
        },
      },
    });
  });

  test.each(['id,', ',id', 'id name', 'from{id', 'from}', 'comments.limit(5', '{id}', 'id;name'])(
    'rejects a list with a syntax error: %s',
    async (fields) => {
      const { call } = await startAccount('FACEBOOK');

      expect(await call(`${v25}/me?fields=${encodeURIComponent(fields)}`)).toMatchObject({
        status: 400,
        body: { error: { code: 2500, message: expect.stringContaining('Syntax error') } },
      });
    },
  );

  test('returns fields of nested objects, and totals only on request', async () => {
    const { call, postId } = await startAccount('FACEBOOK');
    const read = async (fields: string) =>
      (await call(`${v25}/${postId}?fields=${fields}`)).body as object;

    expect(await read('shares,comments.limit(0).summary(true)')).toEqual({
      id: postId,
      shares: { count: 0 },
      comments: { data: [], summary: { total_count: 0 } },
    });
    expect(await read('comments{message}')).toEqual({ id: postId, comments: { data: [] } });
    expect((await call(`${v25}/${postId}`)).body).toEqual({
      id: postId,
      message: 'Fresh bread',
      created_time: expect.stringMatching(/\+0000$/),
    });
  });

  test('returns only the id of a new post, unless more is requested', async () => {
    const { call } = await startAccount('FACEBOOK');
    const publish = async (query = '') => {
      const body = JSON.stringify({ message: 'Hello' });

      return (await call(`${v25}/account-1/feed${query}`, { method: 'POST', body })).body;
    };

    expect(Object.keys(await publish())).toEqual(['id']);
    expect(Object.keys(await publish('?fields=permalink_url'))).toEqual(['permalink_url', 'id']);
  });

  test('returns only the requested fields of Instagram accounts and media', async () => {
    const { call, postId } = await startAccount('INSTAGRAM');
    const list = async (query: string) =>
      (await call(`${v25}/account-1/media${query}`)).body.data as object[];

    expect(await list('')).toEqual([{ id: postId }]);
    expect(await list('?fields=caption,media_type')).toEqual([
      { id: postId, caption: 'Fresh bread' },
    ]);
    expect(Object.keys((await call(`${v25}/me`)).body)).toEqual(['id']);
  });
});

describe('Graph API versions', () => {
  test.each(['v25.0', 'v26.0', 'v21.0'])('accepts the Graph API version %s', async (version) => {
    const { call } = await startAccount('FACEBOOK');

    expect(await call(`/${version}/me`)).toMatchObject({ status: 200 });
  });

  test.each([
    ['FACEBOOK', 'v19.0', 2635],
    ['FACEBOOK', 'v20.0', 2635],
    ['FACEBOOK', 'v2.12', 2635],
    ['FACEBOOK', 'v99.0', 2500],
    ['FACEBOOK', 'v25.1', 2500],
    ['FACEBOOK', 'v27.0', 2500],
    ['FACEBOOK', '25.0', 2500],
    ['INSTAGRAM', 'v19.0', 2635],
    ['INSTAGRAM', 'v99.0', 2500],
  ] as const)('rejects the Graph API version: %s %s', async (platform, version, code) => {
    const { call } = await startAccount(platform);

    expect(await call(`/${version}/me`)).toMatchObject({ status: 400, body: { error: { code } } });
  });

  test('rejects a Graph API version after its expiration', async () => {
    const { call, advance } = await startAccount('FACEBOOK');
    advance(Date.parse('2027-10-08T00:00:00Z') - Date.now());

    expect(await call('/v23.0/me')).toMatchObject({ body: { error: { code: 2635 } } });
    expect(await call('/v24.0/me')).toMatchObject({ status: 200 });
  });
});

describe('YouTube lists', () => {
  const videosOf = (body: { items: object[] }) => body.items.map((item) => Object.keys(item));

  test.each(['part=id&part=snippet&part=statistics', 'part=id,snippet&part=statistics'])(
    'accepts repeated parts: %s',
    async (parts) => {
      const { call, postId } = await startAccount('YOUTUBE');
      const { body } = await call(`/youtube/v3/videos?${parts}&id=${postId}&id=none`);

      expect(videosOf(body)).toEqual([['kind', 'id', 'snippet', 'statistics']]);
    },
  );

  test.each([
    ['videos', 'part=snippet&part=nope', 'unknownPart'],
    ['channels', 'part=snippet,replies&mine=true', 'unknownPart'],
    ['commentThreads', 'part=statistics&videoId=1', 'unknownPart'],
    ['videos', 'part=&id=1', 'missingRequiredParameter'],
    ['videos', 'part=snippet', 'missingRequiredParameter'],
  ])('rejects a list of %s: %s', async (resource, query, reason) => {
    const { call } = await startAccount('YOUTUBE');

    expect(await call(`/youtube/v3/${resource}?${query}`)).toMatchObject({
      status: 400,
      body: { error: { errors: [{ reason }] } },
    });
  });

  test('returns only the requested parts of threads', async () => {
    const { call, network, postId } = await startAccount('YOUTUBE');
    await network.sendEvent({
      userId: 'account-1',
      type: 'comment',
      postId,
      text: 'How much?',
      from: { id: 'customer-1', name: 'Ada' },
      deliveries: 0,
    });
    const { body } = await call(`/youtube/v3/commentThreads?part=id&videoId=${postId}`);

    expect(videosOf(body)).toEqual([['kind', 'id']]);
  });
});

describe('TikTok fields', () => {
  test.each([
    ['/v2/user/info/?fields=open_id,nope'],
    ['/v2/user/info/'],
    ['/v2/video/list/?fields=id,likes'],
    ['/v2/video/list/'],
    ['/v2/video/query/?fields=likes'],
  ])('rejects missing and unknown fields: %s', async (path) => {
    const { call } = await startAccount('TIKTOK');
    const init = path.includes('video') ? { method: 'POST', body: '{}' } : {};

    expect(await call(path, init)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_params' } },
    });
  });

  test('returns only the requested fields', async () => {
    const { call, postId } = await startAccount('TIKTOK');
    const { body } = await call('/v2/video/list/?fields=id,title,duration', {
      method: 'POST',
      body: '{}',
    });

    expect(body.data.videos).toEqual([{ id: postId, title: 'Fresh bread' }]);
  });
});
