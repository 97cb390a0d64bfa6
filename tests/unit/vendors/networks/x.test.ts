import { describe, expect, test } from 'vitest';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import { networkOf } from '#tests/support/networks.ts';
import { localServer, mediaAt, mediaFiles } from './local-servers.ts';
import { callsOf, connect, failureOf, pass, received, sandbox, useSandbox } from './setup.ts';

useSandbox();

const twitter = networkOf('TWITTER');
const network = sandbox.network('TWITTER');
const ada = { id: '2222', name: 'Ada Lovelace' };
const dayMs = 86_400_000;
const settledMs = 31_000;

function text(content: string, mediaUrls: readonly string[] = []) {
  return { text: content, mediaUrls };
}

async function publish(credentials: Credentials, publication = text('Hello')) {
  const { handle } = await twitter.prepare(credentials, publication);

  return twitter.commit(credentials, publication, handle);
}

function secondsAgo(seconds: number): string {
  return new Date(Date.now() - seconds * 1_000).toISOString();
}

/** Starts the webhook callback of the service, which answers the challenges of X. */
async function callback(): Promise<string> {
  const origin = await localServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const reply = await twitter.answerChallenge(Object.fromEntries(searchParams));
    response.writeHead(reply?.status ?? 404).end(reply?.body);
  });

  return `${origin}/webhooks/twitter`;
}

describe('X tokens', () => {
  test('a token without a scope stays valid and returns scopeMissing', async () => {
    const credentials = await connect('TWITTER', '1111', ['tweet.read', 'users.read']);

    expect(await twitter.validateToken(credentials)).toMatchObject({ platformUserIds: ['1111'] });
    expect(await failureOf(publish(credentials))).toMatchObject({ kind: 'scopeMissing' });
  });

  test('a refresh returns a new token pair and authenticates the app', async () => {
    const { accessToken, refreshToken } = await network.issueTokens({ userId: '1111' });
    const pair = await twitter.refreshToken({ accessToken, refreshToken });

    expect(pair).toMatchObject({ expiresInSeconds: 7_200 });
    expect(pair.refreshToken).not.toBe(refreshToken);
    expect(pair.scopes).toContain('dm.write');
    const credentials = { platformUserId: '1111', accessToken: pair.accessToken };
    expect(await twitter.validateToken(credentials)).toMatchObject({ platformUserIds: ['1111'] });
  });

  test('a failed refresh distinguishes an invalid token, an unknown app, and a timeout', async () => {
    const { accessToken, refreshToken } = await network.issueTokens({ userId: '1111' });
    const refresh = () => failureOf(twitter.refreshToken({ accessToken, refreshToken }));
    const path = '/oauth2/token$';

    expect(await failureOf(twitter.refreshToken({ accessToken }))).toMatchObject({
      kind: 'tokenInvalid',
    });
    const body = { error: 'unauthorized_client', error_description: 'Missing header' };
    await sandbox.addFault({
      service: 'twitter',
      path,
      mode: 'error',
      status: 401,
      body,
      times: 1,
    });
    expect(await refresh()).toMatchObject({ kind: 'unavailable', code: 'unauthorized_client' });
    await sandbox.addFault({ service: 'twitter', path, mode: 'hang-after', times: 1 });
    expect(await refresh()).toMatchObject({ kind: 'outcomeUnknown' });
  });
});

describe('the X account', () => {
  test('the number of posts is read by its older name too', async () => {
    const credentials = await connect('TWITTER', '1111');
    const data = { id: '1111', name: 'Bakery', username: 'bakery' };
    for (const public_metrics of [{ tweet_count: 321 }, { post_count: 321, tweet_count: 1 }]) {
      await sandbox.addFault({
        service: 'twitter',
        path: 'users/me',
        mode: 'error',
        status: 200,
        times: 1,
        body: { data: { ...data, public_metrics } },
      });

      expect(await twitter.fetchAccountMetrics(credentials)).toMatchObject({ posts: 321 });
    }
  });

  test('listRecentPosts returns posts with their original text', async () => {
    const credentials = await connect('TWITTER', '1111');
    const written = 'A & B <3 https://example.com/?a=1&b=2 and https://example.org';
    await publish(credentials, text('First'));
    await publish(credentials, text(written));
    const [post] = await network.posts('1111');

    expect(await twitter.listRecentPosts(credentials)).toMatchObject([
      { platformPostId: post?.id, text: written, publishedAt: post?.at, url: post?.url },
      { text: 'First' },
    ]);
  });
});

test('listRecentPosts of X returns the whole text of a long post', async () => {
  const credentials = await connect('TWITTER', '1111');
  const long = `${'A long story. '.repeat(30)}See https://example.com/?a=1&b=2`;
  await network.makePost({ userId: '1111', text: long });

  expect(await twitter.listRecentPosts(credentials)).toMatchObject([{ text: long }]);
});

describe('publishing on X', () => {
  test('a text post is one call', async () => {
    const credentials = await connect('TWITTER', '1111');
    const outcome = await publish(credentials);
    const [post] = await network.posts('1111');
    const [call] = await sandbox.requests({ service: 'twitter' });

    expect(outcome).toEqual({
      state: 'published',
      platformPostId: post?.id,
      url: `https://x.com/i/web/status/${post?.id}`,
    });
    expect(await callsOf('TWITTER')).toEqual(['POST /2/tweets']);
    expect(call?.headers.authorization).toBe(`Bearer ${credentials.accessToken}`);
    expect(call?.body).toBe('{"text":"Hello"}');
  });

  test('an empty post is rejected without a call', async () => {
    const credentials = await connect('TWITTER', '1111');

    expect(await failureOf(twitter.prepare(credentials, text(' ')))).toMatchObject({
      kind: 'refused',
    });
    expect(await callsOf('TWITTER')).toEqual([]);
  });

  test('an image is uploaded in chunks, and only once', async () => {
    const credentials = await connect('TWITTER', '1111');
    const url = await mediaAt('image/png', Buffer.alloc(4_500_000, 7));
    const publication = text('Look', [url]);
    const prepared = await twitter.prepare(credentials, publication);
    const again = await twitter.prepare(credentials, publication, prepared.handle);
    await twitter.commit(credentials, publication, again.handle);

    expect(prepared.state).toBe('ready');
    expect(again).toEqual(prepared);
    const [post] = await network.posts('1111');
    const [id] = post?.media ?? [];
    expect(await callsOf('TWITTER')).toEqual([
      'POST /2/media/upload/initialize',
      `POST /2/media/upload/${id}/append`,
      `POST /2/media/upload/${id}/append`,
      `POST /2/media/upload/${id}/append`,
      `POST /2/media/upload/${id}/finalize`,
      'POST /2/tweets',
    ]);
  });

  test('a video is posted after it is processed', async () => {
    const credentials = await connect('TWITTER', '1111');
    const publication = text('Film', [await mediaAt('video/mp4', Buffer.alloc(1_000))]);
    const first = await twitter.prepare(credentials, publication);
    const second = await twitter.prepare(credentials, publication, first.handle);
    const third = await twitter.prepare(credentials, publication, second.handle);

    expect(first).toMatchObject({ state: 'pending', retryAfterMs: 1_000 });
    expect(second).toMatchObject({ state: 'pending', retryAfterMs: 1_000 });
    expect(third.state).toBe('ready');
    await twitter.commit(credentials, publication, third.handle);
    expect(await network.posts('1111')).toHaveLength(1);
  });

  test('media that X does not support or cannot process are rejected permanently', async () => {
    const credentials = await connect('TWITTER', '1111');
    const pdf = text('', [await mediaAt('application/pdf', Buffer.alloc(10))]);
    expect(await failureOf(twitter.prepare(credentials, pdf))).toMatchObject({ kind: 'refused' });
    const large = text('', [await mediaAt('image/jpeg', Buffer.alloc(5_000_001))]);
    expect(await failureOf(twitter.prepare(credentials, large))).toMatchObject({ kind: 'refused' });
    expect(await callsOf('TWITTER')).toEqual([]);

    const video = text('', [await mediaAt('video/mp4', Buffer.alloc(10))]);
    const { handle } = await twitter.prepare(credentials, video);
    const data = {
      id: '1',
      processing_info: { state: 'failed', error: { message: 'InvalidMedia' } },
    };
    await sandbox.addFault({ service: 'twitter', mode: 'error', status: 200, body: { data } });
    expect(await failureOf(twitter.prepare(credentials, video, handle))).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('InvalidMedia'),
    });
  });

  test('a GIF or a video with other media is rejected before the upload', async () => {
    const credentials = await connect('TWITTER', '1111');
    const origin = await mediaFiles({
      '/photo.jpg': ['image/jpeg', Buffer.from('ffd8ffe0', 'hex')],
      '/moving.jpg': ['image/jpeg', 'GIF89a'],
      '/film': ['video/mp4', 'film'],
    });
    const prepare = (...paths: string[]) =>
      twitter.prepare(
        credentials,
        text(
          'Look',
          paths.map((path) => `${origin}${path}`),
        ),
      );

    for (const other of ['/moving.jpg', '/film']) {
      expect(await failureOf(prepare('/photo.jpg', other))).toMatchObject({
        kind: 'refused',
        message: 'mediaUrls must be up to four photos, one GIF or one video on TWITTER',
      });
    }
    expect(await callsOf('TWITTER')).toEqual([]);
    expect(await prepare('/photo.jpg', '/photo.jpg')).toMatchObject({ state: 'ready' });
    expect(await prepare('/moving.jpg')).toMatchObject({ state: 'ready' });
  });

  test('an upload without a response is unavailable, because nothing was published', async () => {
    const credentials = await connect('TWITTER', '1111');
    const publication = text('Look', [await mediaAt('image/png', Buffer.alloc(10))]);
    await sandbox.addFault({ service: 'twitter', path: 'finalize$', mode: 'hang-after', times: 1 });

    expect(await failureOf(twitter.prepare(credentials, publication))).toMatchObject({
      kind: 'unavailable',
    });
  });

  test('a lost post is found by its text among recent posts', async () => {
    const credentials = await connect('TWITTER', '1111');
    const publication = text('A & B  <3\nhttps://example.com/?a=1&b=2', []);
    await publish(credentials, text('Another'));
    await publish(credentials, publication);
    const [post] = await network.posts('1111');
    const probe = (since: string) => twitter.probe(credentials, publication, {}, since);

    expect(await probe(secondsAgo(5))).toEqual({
      state: 'published',
      platformPostId: post?.id,
      url: post?.url,
    });
    expect(await probe(secondsAgo(-5))).toMatchObject({ state: 'processing' });
  });

  test('a missing post is absent only after X has had time to list it', async () => {
    const credentials = await connect('TWITTER', '1111');
    const probe = (since: string) => twitter.probe(credentials, text('Hello'), {}, since);

    expect(await probe(secondsAgo(20))).toMatchObject({ state: 'processing' });
    expect(await probe(secondsAgo(settledMs / 1_000))).toMatchObject({ state: 'absent' });
  });

  test('a lost post is searched for page by page, skipping replies', async () => {
    const credentials = await connect('TWITTER', '1111');
    await publish(credentials);
    const [post] = await network.posts('1111');
    const reply = { id: '7', text: 'Hello', in_reply_to_user_id: '5' };
    const body = { data: [reply], meta: { next_token: '0' } };
    const fault = {
      service: 'twitter',
      path: 'tweets$',
      mode: 'error',
      status: 200,
      body,
    } as const;
    const probe = () => twitter.probe(credentials, text('Hello'), {}, secondsAgo(60));

    await sandbox.addFault({ ...fault, times: 1 });
    expect(await probe()).toMatchObject({ state: 'published', platformPostId: post?.id });
    await sandbox.addFault(fault);
    expect(await probe()).toEqual({ state: 'unknown' });
    expect(await callsOf('TWITTER')).toHaveLength(1 + 2 + 5);
  });
});

describe('post metrics on X', () => {
  test('older names are read too, and what X does not return is null, not 0', async () => {
    const credentials = await connect('TWITTER', '1111');
    const metricsFor = async (public_metrics?: object) => {
      await sandbox.addFault({
        service: 'twitter',
        path: '/2/tweets$',
        mode: 'error',
        status: 200,
        times: 1,
        body: { data: [{ id: '7', text: 'Hello', public_metrics }] },
      });

      return twitter.fetchPostMetrics(credentials, ['7']);
    };
    const none = { likes: null, comments: null, shares: null, impressions: null };

    expect(await metricsFor({ retweet_count: 4, quote_count: 2 })).toMatchObject([{ shares: 6 }]);
    expect(await metricsFor({ repost_count: 4, quote_count: 2 })).toMatchObject([{ shares: 6 }]);
    expect(await metricsFor({ like_count: 0 })).toMatchObject([{ ...none, likes: 0 }]);
    expect(await metricsFor()).toMatchObject([none]);
  });

  test('the sandbox rejects the parameter that X no longer documents', async () => {
    const { accessToken } = await connect('TWITTER', '1111');
    const read = async (query: string) => {
      const { status } = await fetch(`${process.env.TWITTER_API_BASE}/2/tweets?ids=1&${query}`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });

      return status;
    };

    expect(await read('tweet.fields=public_metrics')).toBe(400);
    expect(await read('post.fields=referenced_tweets')).toBe(400);
    expect(await read('post.fields=public_metrics')).toBe(200);
  });

  test('quotes count as shares', async () => {
    const credentials = await connect('TWITTER', '1111');
    const metrics = { like_count: 1, retweet_count: 2, quote_count: 3 };
    const body = { data: [{ id: '7', public_metrics: metrics }] };
    await sandbox.addFault({ service: 'twitter', mode: 'error', status: 200, body });

    expect(await twitter.fetchPostMetrics(credentials, ['7'])).toMatchObject([
      { likes: 1, shares: 5 },
    ]);
  });

  test('posts older than 30 days have no clicks', async () => {
    const old = await connect('TWITTER', '1111');
    await publish(old);
    const [post] = await network.posts('1111');
    await network.setMetrics(String(post?.id), { likes: 5, clicks: 2 });
    pass(31 * dayMs);
    const credentials = await connect('TWITTER', '1111');

    expect(await twitter.fetchPostMetrics(credentials, [String(post?.id)])).toEqual([
      { likes: 5, comments: 0, shares: 0, clicks: null, reach: null, impressions: 0 },
    ]);
  });

  test('metrics are requested in batches of a hundred', async () => {
    const credentials = await connect('TWITTER', '1111');
    const ids = Array.from({ length: 150 }, (_, index) => String(index));

    expect(await twitter.fetchPostMetrics(credentials, ids)).toHaveLength(150);
    expect(await callsOf('TWITTER')).toHaveLength(4);
    expect(await twitter.fetchPostMetrics(credentials, [])).toEqual([]);
    expect(await callsOf('TWITTER')).toHaveLength(4);
  });
});

describe('X errors', () => {
  const problem = (title: string, detail: string) => ({ title, detail, type: 'about:blank' });

  test.each([
    [400, problem('Invalid Request', 'Invalid'), { kind: 'refused', code: 'Invalid Request' }],
    [401, problem('Unauthorized', 'Unauthorized'), { kind: 'tokenInvalid' }],
    [402, problem('CreditsDepleted', 'No credits'), { kind: 'refused', code: 'CreditsDepleted' }],
    [403, problem('Forbidden', 'Forbidden'), { kind: 'scopeMissing' }],
    [
      403,
      problem('Forbidden', 'You are not allowed to create a Tweet with duplicate content.'),
      { kind: 'refused', message: 'You are not allowed to create a Tweet with duplicate content.' },
    ],
    [404, problem('Not Found Error', 'Gone'), { kind: 'notFound' }],
    [500, problem('Internal Server Error', 'Oops'), { kind: 'outcomeUnknown' }],
    [503, problem('Service Unavailable', 'Over capacity'), { kind: 'unavailable' }],
  ])('publishing maps status %i with %j to an error', async (status, body, failure) => {
    const credentials = await connect('TWITTER', '1111');
    await sandbox.addFault({ service: 'twitter', mode: 'error', status, body });

    expect(await failureOf(publish(credentials))).toMatchObject({
      platform: 'TWITTER',
      ...failure,
    });
  });

  test('a rate limit error contains the time until the limit resets', async () => {
    const credentials = await connect('TWITTER', '1111');
    const calls = Array.from({ length: 16 }, (_, index) => index);
    await network.sendEvent({
      userId: '1111',
      type: 'message',
      text: 'Hi',
      from: ada,
      deliveries: 0,
    });
    const send = () =>
      twitter.sendDirectMessage(credentials, { to: ada.id, text: 'Hi', echoTag: '' });
    const outcomes = await Promise.allSettled(calls.map(send));
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));

    expect(refused).toMatchObject([{ kind: 'rateLimited' }]);
    expect(refused[0]?.retryAfterMs).toBeGreaterThan(14 * 60_000);
    expect(refused[0]?.retryAfterMs).toBeLessThanOrEqual(15 * 60_000 + 1_000);
    pass(15 * 60_000);
    expect(await send()).toMatchObject({ id: expect.any(String) });
  });
});

describe('X customers', () => {
  const event = { userId: '1111', from: ada, text: 'Hello, how much?', deliveries: 0 } as const;

  test('a direct message is answered with a direct message', async () => {
    const credentials = await connect('TWITTER', '1111');
    const sent = await network.sendEvent({ ...event, type: 'message' });
    const { rawBody, headers } = received(sent);

    expect(await twitter.verifySignature(rawBody, headers)).toBe(true);
    expect(twitter.parseEvents(rawBody)).toMatchObject([
      { type: 'message', from: ada, text: event.text, messageId: sent.eventId, isEcho: false },
    ]);
    const answer = { to: ada.id, text: 'It is 5.', echoTag: 'tag' };
    const { id } = await twitter.sendDirectMessage(credentials, answer);
    expect(await network.replies('1111')).toMatchObject([
      { id, kind: 'message', to: ada.id, text: 'It is 5.' },
    ]);
    const echo = await network.sendEvent({ ...event, type: 'message', echo: true, eventId: id });
    expect(twitter.parseEvents(received(echo).rawBody)).toMatchObject([
      { isEcho: true, messageId: id, to: ada, text: 'It is 5.' },
    ]);
  });

  test('a direct message to somebody who never wrote is rejected', async () => {
    const credentials = await connect('TWITTER', '1111');
    const sending = twitter.sendDirectMessage(credentials, { to: '3', text: 'Hi', echoTag: '' });

    expect(await failureOf(sending)).toMatchObject({
      kind: 'refused',
      message: 'You do not have permission to DM one or more participants.',
    });
  });

  test('a comment is answered below the comment', async () => {
    const credentials = await connect('TWITTER', '1111');
    await publish(credentials);
    const [post] = await network.posts('1111');
    const sent = await network.sendEvent({ ...event, type: 'comment' });
    const [comment] = twitter.parseEvents(received(sent).rawBody);

    expect(comment).toMatchObject({
      type: 'comment',
      channel: 'COMMENT',
      platformPostId: post?.id,
      messageId: sent.eventId,
    });
    const reply = { commentId: sent.eventId, text: 'It is 5.' };
    const { id } = await twitter.replyToComment(credentials, reply);
    expect(await network.replies('1111')).toMatchObject([
      { id, kind: 'comment', to: ada.id, inReplyTo: sent.eventId, text: 'It is 5.' },
    ]);
    expect(await network.posts('1111')).toHaveLength(1);
  });

  test('a mention in another post has the channel POST', async () => {
    const sent = await network.sendEvent({ ...event, type: 'mention' });

    expect(twitter.parseEvents(received(sent).rawBody)).toMatchObject([
      { type: 'mention', channel: 'POST', from: ada, messageId: sent.eventId },
    ]);
  });

  test('a comment of the account itself is an echo', async () => {
    const sent = await network.sendEvent({ ...event, type: 'comment', echo: true });

    expect(twitter.parseEvents(received(sent).rawBody)).toMatchObject([
      { isEcho: true, from: { id: '1111' } },
    ]);
  });

  test('a self-serve plan rejects replies to posts that do not mention the account', async () => {
    const credentials = await connect('TWITTER', '1111');
    await network.setAccount('1111', { name: 'Engines' });
    await network.setSettings({ isSelfServe: true });
    const replyTo = async (text: string) => {
      const { eventId } = await network.sendEvent({ ...event, type: 'comment', text });

      return twitter.replyToComment(credentials, { commentId: eventId, text: 'It is 5.' });
    };

    expect(await failureOf(replyTo('How much?'))).toMatchObject({ kind: 'refused' });
    expect(await replyTo('@Engines How much?')).toEqual({ id: expect.any(String) });
  });

  test('fetchComments leaves out reposts, and keeps quotes and whole long texts', async () => {
    const credentials = await connect('TWITTER', '1111');
    const since = secondsAgo(60);
    const mention = { ...event, type: 'mention' } as const;
    const long = `${'A long question. '.repeat(30)}What is the price?`;
    const repost = await network.sendEvent({ ...mention, text: 'RT @us: 5', repostOf: '7' });
    await network.sendEvent({ ...mention, text: 'Look at this', quoteOf: '7' });
    const sent = await network.sendEvent({ ...mention, text: long });
    const comments = await twitter.fetchComments(credentials, since);

    expect(comments.map(({ text }) => text)).toEqual(['Look at this', long]);
    expect(twitter.parseEvents(received(repost).rawBody)).toEqual([]);
    expect(twitter.parseEvents(received(sent).rawBody)).toEqual([comments[1]]);
    expect(JSON.parse(received(sent).rawBody.toString()).data.payload.text).toMatch(/…$/);
  });
});

describe('X subscriptions', () => {
  const eventTypes = [
    'dm.received',
    'dm.sent',
    'post.create',
    'post.mention.create',
    'post.quote.create',
    'post.reply.create',
  ];

  test.each(['post.reply.create', 'post.mention.create'])(
    'subscribing reports that comments must be polled if X rejects %s',
    async (rejected) => {
      const url = await callback();
      const credentials = await connect('TWITTER', '1111');
      await network.setSettings({ rejectedEvents: [rejected] });
      expect(await twitter.subscribe(credentials, url)).toBe('withoutComments');
      const subscribed = await network.subscriptions('1111');
      expect(subscribed.flatMap(({ fields }) => fields).sort()).toEqual(
        eventTypes.filter((type) => type !== rejected),
      );

      await network.setSettings({ rejectedEvents: [] });
      expect(await twitter.subscribe(credentials, url)).toBeUndefined();
      expect(await network.subscriptions('1111')).toHaveLength(eventTypes.length);
    },
  );

  test('subscribing needs no quotes, and fails if comments meet an outage', async () => {
    const url = await callback();
    const credentials = await connect('TWITTER', '1111');
    await network.setSettings({ rejectedEvents: ['post.quote.create'] });
    expect(await twitter.subscribe(credentials, url)).toBeUndefined();
    const other = await connect('TWITTER', '3333');
    await sandbox.addFault({
      service: 'twitter',
      method: 'POST',
      path: 'subscriptions',
      mode: 'error',
      status: 503,
    });

    expect(await failureOf(twitter.subscribe(other, url))).toMatchObject({ kind: 'unavailable' });
  });

  test.each([400, 403, 409])(
    'a webhook that another account created concurrently is used, reported with %i',
    async (status) => {
      const url = await callback();
      await twitter.subscribe(await connect('TWITTER', '1111'), url);
      const fault = { service: 'twitter', path: '/2/webhooks$', mode: 'error', times: 1 } as const;
      await sandbox.addFault({ ...fault, method: 'GET', status: 200, body: { data: [] } });
      await sandbox.addFault({
        ...fault,
        method: 'POST',
        status,
        body: { title: 'DuplicateUrlFailed', detail: 'A webhook is already registered' },
      });
      await twitter.subscribe(await connect('TWITTER', '3333'), url);

      expect(await network.subscriptions('3333')).toHaveLength(eventTypes.length);
    },
  );

  test.each([
    'http://service.example.com/webhooks/twitter',
    'https://service.example.com:8443/webhooks/twitter',
    `https://service.example.com/${'x'.repeat(200)}`,
  ])('a webhook URL that X does not accept is rejected', async (url) => {
    const subscribing = twitter.subscribe(await connect('TWITTER', '1111'), url);

    expect(await failureOf(subscribing)).toMatchObject({
      kind: 'unavailable',
      code: 'UrlValidationFailed',
    });
  });

  test('unsubscribing follows pages of subscriptions', async () => {
    const credentials = await connect('TWITTER', '1111');
    await twitter.subscribe(credentials, await callback());
    await sandbox.addFault({
      service: 'twitter',
      method: 'GET',
      path: 'subscriptions$',
      mode: 'error',
      status: 200,
      times: 1,
      body: { data: [], meta: { total_subscriptions: 6, next_token: '0'.repeat(16) } },
    });
    await twitter.unsubscribe(credentials);

    expect(await network.subscriptions('1111')).toEqual([]);
  });

  test('subscribing creates the webhook once and adds missing subscriptions', async () => {
    const url = await callback();
    const one = await connect('TWITTER', '1111');
    const two = await connect('TWITTER', '3333');
    await twitter.subscribe(one, url);
    await twitter.subscribe(two, url);
    await twitter.subscribe(one, url);

    for (const { platformUserId } of [one, two]) {
      const subscribed = await network.subscriptions(platformUserId);
      expect(subscribed.flatMap(({ fields }) => fields).sort()).toEqual(eventTypes);
      expect(subscribed.every(({ callbackUrl }) => callbackUrl === url)).toBe(true);
    }
    const calls = await callsOf('TWITTER');
    expect(calls.filter((call) => call === 'POST /2/webhooks')).toHaveLength(1);
  });

  test('concurrent calls create each subscription once', async () => {
    const url = await callback();
    const one = await connect('TWITTER', '1111');
    const two = await connect('TWITTER', '3333');
    await Promise.all([one, one, two].map((credentials) => twitter.subscribe(credentials, url)));

    expect(await network.subscriptions('1111')).toHaveLength(eventTypes.length);
    expect(await network.subscriptions('3333')).toHaveLength(eventTypes.length);
  });

  test('unsubscribing affects only one account', async () => {
    const url = await callback();
    const one = await connect('TWITTER', '1111');
    const two = await connect('TWITTER', '3333');
    await twitter.subscribe(one, url);
    await twitter.subscribe(two, url);
    await twitter.unsubscribe(two);
    await twitter.unsubscribe(two);

    expect(await network.subscriptions('3333')).toEqual([]);
    expect(await network.subscriptions('1111')).toHaveLength(eventTypes.length);
  });

  test('subscribing fails when the callback signs with another secret', async () => {
    const url = await localServer((_request, response) =>
      response.end('{"response_token":"sha256=x"}'),
    );
    const credentials = await connect('TWITTER', '1111');

    expect(await failureOf(twitter.subscribe(credentials, url))).toMatchObject({
      kind: 'unavailable',
      code: 'CrcValidationFailed',
    });
    expect(await network.subscriptions()).toEqual([]);
  });

  test('subscribing revalidates a webhook that X marked invalid', async () => {
    const url = await callback();
    const credentials = await connect('TWITTER', '1111');
    await twitter.subscribe(credentials, url);
    const body = { data: [{ id: '7', url, valid: false }] };
    const fault = { service: 'twitter', path: '/2/webhooks$', mode: 'error', status: 200 } as const;
    await sandbox.addFault({ ...fault, method: 'GET', body });

    await failureOf(twitter.subscribe(credentials, url));
    expect(await callsOf('TWITTER')).toContain('PUT /2/webhooks/7');
  });

  test('rejected app credentials are an outage, not an invalid token', async () => {
    const credentials = await connect('TWITTER', '1111');
    await sandbox.addFault({ service: 'twitter', path: 'webhooks', mode: 'error', status: 401 });
    const subscribing = twitter.subscribe(credentials, 'https://service.example.com');

    expect(await failureOf(subscribing)).toMatchObject({ kind: 'unavailable' });
  });

  test('subscribing needs the scope for direct messages', async () => {
    const url = await callback();
    const credentials = await connect('TWITTER', '1111', ['tweet.read', 'users.read']);

    expect(await failureOf(twitter.subscribe(credentials, url))).toMatchObject({
      kind: 'scopeMissing',
    });
  });
});
