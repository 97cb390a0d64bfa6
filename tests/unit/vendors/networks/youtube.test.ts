import { createHash, createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { Credentials, Handle, Publication } from '#lib/vendors/networks/network.ts';
import { networkOf } from '#tests/support/networks.ts';
import { localServer, mediaAt, mediaFiles, mediaServer } from './local-servers.ts';
import { callsOf, connect, failureOf, pass, sandbox, useSandbox } from './setup.ts';

useSandbox();

const youtube = networkOf('YOUTUBE');
const network = sandbox.network('YOUTUBE');
const grace = { id: 'UC-grace', name: 'Grace' };
const film = randomBytes(300_000);
const sha256 = createHash('sha256').update(film).digest('hex');
const uploadPath = '/upload/youtube/v3/videos';
const topic = 'https://www.youtube.com/feeds/videos.xml?channel_id=UC1';

async function video(content: string | Buffer = film, text = 'Hello\nworld'): Promise<Publication> {
  return { text, mediaUrls: [await mediaAt('video/mp4', Buffer.from(content))] };
}

async function publish(credentials: Credentials, publication: Publication) {
  const { handle } = await youtube.prepare(credentials, publication);

  return youtube.commit(credentials, publication, handle);
}

async function publishedId(credentials: Credentials): Promise<string> {
  const outcome = await publish(credentials, await video());

  return outcome.state === 'published' ? outcome.platformPostId : '';
}

const now = () => new Date().toISOString();

describe('tokens', () => {
  test('validateToken returns the channel, the scopes, and the expiry', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const facts = await youtube.validateToken(credentials);

    expect(facts.platformUserIds).toEqual(['UC1']);
    expect(facts.scopes).toContain('https://www.googleapis.com/auth/youtube.upload');
    expect(Math.abs(Date.parse(String(facts.expiresAt)) - Date.now() - 3_600_000)).toBeLessThan(
      5_000,
    );
  });

  test('a token that is unknown, revoked, expired, or from another app is invalid', async () => {
    const revoked = await connect('YOUTUBE', 'UC1');
    await network.revokeTokens(revoked.accessToken);
    const { accessToken } = await network.issueTokens({ userId: 'UC1', expiresIn: -1 });
    for (const dead of [revoked, { ...revoked, accessToken }, { ...revoked, accessToken: 'x' }]) {
      expect(await failureOf(youtube.validateToken(dead))).toMatchObject({ kind: 'tokenInvalid' });
      expect(await failureOf(youtube.listRecentPosts(dead))).toMatchObject({
        kind: 'tokenInvalid',
      });
    }

    await sandbox.addFault({
      service: 'youtube',
      path: 'tokeninfo',
      mode: 'error',
      status: 200,
      body: { aud: 'another-app', scope: 'x', expires_in: '10' },
    });
    const living = await connect('YOUTUBE', 'UC1');
    expect(await failureOf(youtube.validateToken(living))).toMatchObject({ kind: 'tokenInvalid' });
  });

  test('a refresh returns a new access token and no new refresh token', async () => {
    const { accessToken, refreshToken } = await network.issueTokens({ userId: 'UC1' });
    const tokens = await youtube.refreshToken({ accessToken, refreshToken });

    expect(tokens).toEqual({
      accessToken: expect.not.stringContaining(accessToken),
      expiresInSeconds: expect.any(Number),
      scopes: expect.any(Array),
    });
    await youtube.refreshToken({ accessToken, refreshToken });
    await network.revokeTokens(refreshToken);
    expect(await failureOf(youtube.refreshToken({ accessToken, refreshToken }))).toMatchObject({
      kind: 'tokenInvalid',
      code: 'invalid_grant',
    });
  });

  test('a refresh that times out or meets an outage returns unavailable', async () => {
    const { accessToken, refreshToken } = await network.issueTokens({ userId: 'UC1' });
    await sandbox.addFault({ service: 'youtube', mode: 'hang-after', times: 1 });
    await sandbox.addFault({ service: 'youtube', mode: 'error', status: 500, times: 1 });
    await sandbox.addFault({
      service: 'youtube',
      mode: 'error',
      status: 401,
      body: { error: 'invalid_client' },
    });

    for (let count = 0; count < 3; count += 1) {
      expect(await failureOf(youtube.refreshToken({ accessToken, refreshToken }))).toMatchObject({
        kind: 'unavailable',
      });
    }
  });
});

describe('publishing', () => {
  test('a video is uploaded through a session', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const publication = await video();
    const { state, handle } = await youtube.prepare(credentials, publication);
    expect(state).toBe('ready');
    expect(await network.posts('UC1')).toEqual([]);
    const outcome = await youtube.commit(credentials, publication, handle);
    const [post] = await network.posts('UC1');
    const [opened, sent] = await sandbox.requests({ service: 'youtube' });

    expect(outcome).toEqual({ state: 'published', platformPostId: post?.id, url: post?.url });
    expect(post).toMatchObject({ text: 'Hello\nworld', media: [`sha256:${sha256}`] });
    expect(opened?.headers).toMatchObject({ 'x-upload-content-length': String(film.length) });
    expect(sent?.headers).toMatchObject({ 'content-length': String(film.length) });
    expect(JSON.parse(opened?.body ?? '')).toMatchObject({
      snippet: { title: 'Hello', description: 'Hello\nworld' },
      status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
    });
    expect(await callsOf('YOUTUBE')).toEqual([
      `POST ${uploadPath}`,
      `PUT ${uploadPath}`,
      'GET /youtube/v3/videos',
    ]);
  });

  test('a video is published after processing', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const publication = await video('slow...film');
    const outcome = await publish(credentials, publication);
    const handle: Handle = outcome.state === 'processing' ? outcome.handle : {};

    expect(outcome.state).toBe('processing');
    const probe = () => youtube.probe(credentials, publication, handle, now());
    expect((await probe()).state).toBe('processing');
    expect((await probe()).state).toBe('published');
    expect(await youtube.commit(credentials, publication, handle)).toMatchObject({
      state: 'published',
    });
    expect(await network.posts('UC1')).toHaveLength(1);
  });

  test('a video that YouTube cannot process fails with a reason', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const publication = await video('corrupt film');
    const outcome = await publish(credentials, publication);
    const handle = outcome.state === 'processing' ? outcome.handle : {};

    expect(await youtube.probe(credentials, publication, handle, now())).toEqual({
      state: 'failed',
      reason: 'The video was failed: conversion',
    });
  });

  test('a video that YouTube locks to private is not published', async () => {
    await network.setSettings({ isAudited: false });
    const credentials = await connect('YOUTUBE', 'UC1');
    const publication = await video();
    const outcome = await publish(credentials, publication);
    const handle = outcome.state === 'processing' ? outcome.handle : {};
    const [post] = await network.posts('UC1');

    expect(outcome.state).toBe('processing');
    expect(await youtube.probe(credentials, publication, handle, now())).toEqual({
      state: 'lockedPrivate',
      reason: expect.stringContaining(String(post?.url)),
    });
  });

  test('media that are missing or not a video are rejected before a session is opened', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const origin = await mediaFiles({ '/a.png': ['image/png', 'pixels'] });
    const prepare = (...mediaUrls: string[]) =>
      failureOf(youtube.prepare(credentials, { text: 'Hello', mediaUrls }));

    expect(await prepare(`${origin}/a.png`)).toMatchObject({ kind: 'refused' });
    expect(await prepare(`${origin}/b.mp4`)).toMatchObject({ kind: 'refused' });
    expect(await prepare()).toMatchObject({ kind: 'refused' });
    expect(await callsOf('YOUTUBE')).toEqual([]);
  });

  test('a video that changed after the session was opened is rejected', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const publication = await video();
    const { handle } = await youtube.prepare(credentials, publication);
    const other = await video('another film');

    expect(await failureOf(youtube.commit(credentials, other, handle))).toMatchObject({
      kind: 'refused',
    });
    expect(await network.posts('UC1')).toEqual([]);
  });

  test('an interrupted video download is unavailable, and nothing is published', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    let isBroken = false;
    const url = await mediaServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': film.length });
      if (isBroken) {
        response.write(film.subarray(0, 1_000), () => response.destroy());
      } else {
        response.end(film);
      }
    });
    const publication = { text: 'Hello', mediaUrls: [url] };
    const { handle } = await youtube.prepare(credentials, publication);
    isBroken = true;

    expect(await failureOf(youtube.commit(credentials, publication, handle))).toMatchObject({
      kind: 'unavailable',
    });
    expect(await youtube.probe(credentials, publication, handle, now())).toMatchObject({
      state: 'absent',
    });
    isBroken = false;
    expect(await youtube.commit(credentials, publication, handle)).toMatchObject({
      state: 'published',
    });
    expect(await network.posts('UC1')).toHaveLength(1);
  });

  test('a retry reuses an empty session, but not one with uploaded bytes', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const publication = await video();
    const first = await youtube.prepare(credentials, publication);
    expect(await youtube.prepare(credentials, publication, first.handle)).toEqual(first);
    const part = await fetch(String(first.handle.uploadUrl), {
      method: 'PUT',
      headers: { 'content-range': `bytes 0-262143/${film.length}` },
      body: new Uint8Array(film.subarray(0, 262_144)),
    });
    const second = await youtube.prepare(credentials, publication, first.handle);
    await youtube.commit(credentials, publication, second.handle);

    expect([part.status, part.headers.get('range')]).toEqual([308, 'bytes=0-262143']);
    expect(second.handle).not.toEqual(first.handle);
    expect(await network.posts('UC1')).toMatchObject([{ media: [`sha256:${sha256}`] }]);
  });

  test('a completed session is not uploaded again', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const publication = await video();
    const { handle } = await youtube.prepare(credentials, publication);
    const made = await youtube.commit(credentials, publication, handle);
    const again = await youtube.prepare(credentials, publication, handle);

    expect(await youtube.commit(credentials, publication, again.handle)).toEqual(made);
    expect(await network.posts('UC1')).toHaveLength(1);
  });
});

describe('a video upload without a response', () => {
  test('a video is published when its session is complete, and is not sent again', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const publication = await video();
    vi.stubEnv('NETWORK_UPLOAD_TIMEOUT_MS', '400');
    const { handle } = await youtube.prepare(credentials, publication);
    await sandbox.addFault({ service: 'youtube', method: 'PUT', mode: 'hang-after', times: 1 });

    expect(await failureOf(youtube.commit(credentials, publication, handle))).toMatchObject({
      kind: 'outcomeUnknown',
    });
    const [post] = await network.posts('UC1');
    expect(await youtube.probe(credentials, publication, handle, now())).toMatchObject({
      state: 'published',
      platformPostId: post?.id,
    });
    expect((await callsOf('YOUTUBE')).filter((call) => call.startsWith('PUT'))).toHaveLength(2);
    const range = `bytes */${film.length}`;
    expect(await sandbox.requests({ service: 'youtube', contains: range })).toHaveLength(1);
  });

  test('a video is absent when the session has no bytes', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const publication = await video();
    vi.stubEnv('NETWORK_UPLOAD_TIMEOUT_MS', '400');
    const { handle } = await youtube.prepare(credentials, publication);
    await sandbox.addFault({ service: 'youtube', method: 'PUT', mode: 'hang', times: 1 });

    expect(await failureOf(youtube.commit(credentials, publication, handle))).toMatchObject({
      kind: 'outcomeUnknown',
    });
    expect(await youtube.probe(credentials, publication, handle, now())).toEqual({
      state: 'absent',
      reason: 'The upload was not completed',
    });
  });

  test('a video is searched for among the uploads when the session is gone', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const publication = await video();
    const { handle } = await youtube.prepare(credentials, publication);
    const gone = { ...handle, uploadUrl: String(handle.uploadUrl).replace(/upload_id=.*/, 'x=1') };
    const longAgo = new Date(Date.now() - 3_600_000).toISOString();
    expect(await youtube.probe(credentials, publication, gone, now())).toEqual({
      state: 'unknown',
    });
    expect(await youtube.probe(credentials, publication, gone, longAgo)).toMatchObject({
      state: 'absent',
    });
    await youtube.commit(credentials, publication, handle);
    const [post] = await network.posts('UC1');

    expect(await youtube.probe(credentials, publication, gone, now())).toMatchObject({
      state: 'published',
      platformPostId: post?.id,
    });
  });
});

describe('failures', () => {
  function told(reason: string, code: number) {
    return { error: { code, message: 'Told', errors: [{ reason, domain: 'youtube' }] } };
  }

  test.each([
    [401, 'authError', 'tokenInvalid'],
    [401, 'youtubeSignupRequired', 'refused'],
    [403, 'insufficientPermissions', 'scopeMissing'],
    [403, 'commentsDisabled', 'refused'],
    [403, 'quotaExceeded', 'rateLimited'],
    [400, 'uploadLimitExceeded', 'rateLimited'],
    [403, 'rateLimitExceeded', 'rateLimited'],
    [400, 'invalidTitle', 'refused'],
    [404, 'commentNotFound', 'notFound'],
    [500, 'backendError', 'outcomeUnknown'],
    [503, 'backendError', 'unavailable'],
  ])('status %i with %s becomes %s', async (status, reason, kind) => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const body = told(reason, status);
    await sandbox.addFault({ service: 'youtube', mode: 'error', status, body });
    const reply = youtube.replyToComment(credentials, { commentId: 'x', text: 'Hi' });

    expect(await failureOf(reply)).toMatchObject({ kind, code: reason, message: 'Told' });
    expect(await callsOf('YOUTUBE')).toHaveLength(1);
  });

  test('an exhausted quota is rate limited until midnight Pacific', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    await sandbox.addFault({ service: 'youtube', mode: 'error', status: 403 });
    const failure = (await failureOf(publishAnything(credentials))) as {
      readonly retryAfterMs: number;
    };
    const there = new Date(Date.now() + failure.retryAfterMs + 5_000).toLocaleTimeString('en-US', {
      timeZone: 'America/Los_Angeles',
    });

    expect(failure).toMatchObject({ kind: 'rateLimited', code: 'quotaExceeded' });
    expect(there).toMatch(/^12:00:0\d AM$/);
  });

  async function publishAnything(credentials: Credentials) {
    return publish(credentials, await video());
  }
});

describe('metrics', () => {
  test('metrics are returned without shares when the reports are down', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const id = await publishedId(credentials);
    await sandbox.addFault({ service: 'youtube', path: '/v2/reports', mode: 'down' });

    expect(await youtube.fetchPostMetrics(credentials, [id])).toMatchObject([
      { likes: 0, shares: null },
    ]);
    expect(await youtube.fetchAccountMetrics(credentials)).toMatchObject({ engagement: null });
  });

  test('metrics of more than fifty videos are requested in several calls', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const ids = Array.from({ length: 51 }, (_, index) => `video-${index}`);

    expect(await youtube.fetchPostMetrics(credentials, ids)).toEqual(ids.map(() => undefined));
    const asked = (await callsOf('YOUTUBE')).filter((call) => call === 'GET /youtube/v3/videos');
    expect(asked).toHaveLength(2);
  });
});

describe('comments', () => {
  test('fetchComments returns comments and replies since a time, with own ones as echoes', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const say = (eventId: string, more = {}) =>
      network.sendEvent({
        userId: 'UC1',
        type: 'comment',
        text: 'How much?',
        from: grace,
        postId: 'video-1',
        eventId,
        ...more,
      });
    pass(-60_000);
    await say('old');
    pass(60_000);
    const since = new Date(Date.now() - 30_000).toISOString();
    expect(await say('new')).toEqual({ eventId: 'new', responses: [] });
    await say('own', { echo: true });
    const sent = await youtube.replyToComment(credentials, { commentId: 'new', text: 'Ten' });
    const events = await youtube.fetchComments(credentials, since);

    expect(events).toHaveLength(3);
    expect(events).toContainEqual({
      eventId: 'new',
      platformUserId: 'UC1',
      type: 'comment',
      channel: 'COMMENT',
      from: { ...grace, avatarUrl: `https://yt3.ggpht.com/${grace.id}` },
      to: undefined,
      text: 'How much?',
      messageId: 'new',
      platformPostId: 'video-1',
      isEcho: false,
      occurredAt: expect.any(String),
    });
    const echoes = events.filter(({ isEcho }) => isEcho).map(({ messageId }) => messageId);
    expect(echoes.toSorted()).toEqual([sent.id, 'own'].toSorted());
    expect(events.find(({ messageId }) => messageId === sent.id)).toMatchObject({
      parentId: 'new',
      platformPostId: 'video-1',
    });
    const times = events.map(({ occurredAt }) => occurredAt);
    expect(times).toEqual(times.toSorted());
  });

  test('fetchComments reads only as many pages as needed', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    const say = () =>
      network.sendEvent({ userId: 'UC1', type: 'comment', text: 'Hi', from: grace });
    pass(-60_000);
    await Promise.all(Array.from({ length: 150 }, say));
    pass(60_000);
    await Promise.all(Array.from({ length: 101 }, say));
    const since = new Date(Date.now() - 30_000).toISOString();

    expect(await youtube.fetchComments(credentials, since)).toHaveLength(101);
    expect(await callsOf('YOUTUBE')).toHaveLength(2);
  });

  test('replies are posted to the top-level comment of the thread', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    await network.sendEvent({
      userId: 'UC1',
      type: 'comment',
      text: 'Hi',
      from: grace,
      eventId: 'top',
    });
    await youtube.replyToComment(credentials, { commentId: 'top.answer', text: 'Hello' });

    expect(await network.replies('UC1')).toMatchObject([
      { kind: 'comment', to: 'UC-grace', inReplyTo: 'top', text: 'Hello' },
    ]);
    expect(
      await failureOf(youtube.replyToComment(credentials, { commentId: 'gone', text: 'Hello' })),
    ).toMatchObject({ kind: 'notFound' });
  });
});

describe('the YouTube hub', () => {
  const verifyToken = 'sandbox-youtube-verify';
  const asked = {
    'hub.mode': 'subscribe',
    'hub.challenge': 'challenge-1',
    'hub.topic': topic,
    'hub.verify_token': verifyToken,
  };

  test('answerChallenge accepts only expected subscription requests', async () => {
    const status = async (change: Readonly<Record<string, string | undefined>>) =>
      (await youtube.answerChallenge({ ...asked, ...change }))?.status;

    expect(await youtube.answerChallenge(asked)).toEqual({
      status: 200,
      contentType: 'text/plain; charset=utf-8',
      body: 'challenge-1',
    });
    expect(await status({ 'hub.mode': 'unsubscribe' })).toBe(200);
    expect(await status({ 'hub.mode': 'other' })).toBe(403);
    expect(await status({ 'hub.verify_token': 'wrong' })).toBe(403);
    expect(await status({ 'hub.topic': 'https://example.com/feed' })).toBe(403);
    expect(await status({ 'hub.verify_token': undefined })).toBe(400);
    expect(await status({ 'hub.challenge': undefined })).toBe(400);
    expect(await status({ 'hub.mode': 'denied', 'hub.challenge': undefined })).toBe(200);
    expect(await youtube.answerChallenge({ code: 'x' })).toBeUndefined();
  });

  test('new videos are delivered signed to a confirmed callback, as echoes', async () => {
    const deliveries: { readonly signature: string; readonly body: Buffer }[] = [];
    const service = await localServer(async (request, response) => {
      const url = new URL(request.url ?? '', 'http://service');
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk);
      }
      const signature = String(request.headers['x-hub-signature']);
      const body = Buffer.concat(chunks);
      if (request.method === 'POST') {
        deliveries.push({ signature, body });
      }
      const reply = await youtube.answerChallenge(Object.fromEntries(url.searchParams));
      response.writeHead(reply?.status ?? 200).end(reply?.body);
    });
    const credentials = await connect('YOUTUBE', 'UC1');
    await youtube.subscribe(credentials, `${service}/webhooks/youtube`);
    await expect.poll(() => network.subscriptions('UC1')).toHaveLength(1);
    const id = await publishedId(credentials);
    await expect.poll(() => deliveries).toHaveLength(1);
    const [{ signature, body } = { signature: '', body: Buffer.alloc(0) }] = deliveries;

    expect(signature).toMatch(/^sha1=/);
    expect(await youtube.verifySignature(body, { 'x-hub-signature': signature })).toBe(true);
    expect(youtube.parseEvents(body)).toMatchObject([
      { type: 'post', channel: 'POST', platformPostId: id, text: 'Hello', isEcho: true },
    ]);
  });

  test('unsubscribe notifies the hub', async () => {
    const credentials = await connect('YOUTUBE', 'UC1');
    await youtube.unsubscribe(credentials);
    const [call] = await sandbox.requests({ service: 'youtube' });

    expect(Object.fromEntries(new URLSearchParams(call?.body))).toMatchObject({
      'hub.mode': 'unsubscribe',
      'hub.topic': topic,
      'hub.callback': 'http://localhost:3000/webhooks/youtube',
    });
  });

  test('verifySignature accepts all digests that the hub may use', async () => {
    const body = Buffer.from('<feed/>');
    const sign = (algorithm: string, secret = 'sandbox-youtube-secret') =>
      `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`;
    const verify = (given: string | undefined, bytes = body) =>
      youtube.verifySignature(bytes, { 'x-hub-signature': given });

    for (const algorithm of ['sha1', 'sha256', 'sha384', 'sha512']) {
      expect(await verify(sign(algorithm))).toBe(true);
      expect(await verify(sign(algorithm), Buffer.from('<feed />'))).toBe(false);
      expect(await verify(sign(algorithm, 'other'))).toBe(false);
    }
    for (const wrong of [sign('md5'), 'sha1=', 'sha1', '', undefined]) {
      expect(await verify(wrong)).toBe(false);
    }
  });

  test('parseEvents returns videos from a feed and rejects anything else', () => {
    const entry = `<entry><yt:videoId>v1</yt:videoId><yt:channelId>UC1</yt:channelId>
      <title>Fish &amp; chips &lt;3 &#8364;5 &#x1F41F;</title><author><name>Ann</name></author>
      <updated>2026-01-02T03:04:05.123456+00:00</updated></entry>`;
    const feed = (inner: string) =>
      Buffer.from(`<?xml version="1.0"?><feed xmlns="x">${inner}</feed>`);

    expect(youtube.parseEvents(feed(entry))).toEqual([
      {
        eventId: 'v1:2026-01-02T03:04:05.123456+00:00',
        platformUserId: 'UC1',
        type: 'post',
        channel: 'POST',
        from: { id: 'UC1', name: 'Ann' },
        to: undefined,
        text: 'Fish & chips <3 €5 🐟',
        messageId: 'v1',
        platformPostId: 'v1',
        isEcho: true,
        occurredAt: '2026-01-02T03:04:05.123Z',
      },
    ]);
    expect(youtube.parseEvents(feed(`<at:deleted-entry ref="yt:video:v1"/>`))).toEqual([]);
    expect(youtube.parseEvents(feed('<entry><yt:videoId>v1</yt:videoId></entry>'))).toEqual([]);
    expect(() => youtube.parseEvents(Buffer.from('{}'))).toThrow(SyntaxError);
  });
});
