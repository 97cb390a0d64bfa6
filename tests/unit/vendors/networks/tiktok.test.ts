import { describe, expect, test } from 'vitest';
import type { Credentials, Handle, NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { networkOf } from '#tests/support/networks.ts';
import { localServer, mediaAt } from './local-servers.ts';
import {
  callsOf,
  connect,
  connectBusiness,
  failureOf,
  pass,
  received,
  sandbox,
  useSandbox,
} from './setup.ts';

useSandbox();

const tiktok = networkOf('TIKTOK');
const network = sandbox.network('TIKTOK');
const ada = { id: 'customer-1', name: 'Ada' };
const film = { text: 'A film', mediaUrls: ['https://example.com/1.mp4'] };
const photos = {
  text: 'Look',
  mediaUrls: ['https://example.com/1.jpg', 'https://example.com/2.webp'],
};

async function publish(credentials: Credentials, publication = film) {
  const { handle } = await tiktok.prepare(credentials, publication);
  const outcome = await tiktok.commit(credentials, publication, handle);
  if (outcome.state !== 'processing') {
    throw new Error('TikTok always needs time');
  }

  return outcome;
}

function probe(credentials: Credentials, handle: Handle, publication = film, since = ago(60)) {
  return tiktok.probe(credentials, publication, handle, since);
}

function ago(seconds: number): string {
  return new Date(Date.now() - seconds * 1_000).toISOString();
}

function refusal(code: string, message = code) {
  return { data: {}, error: { code, message, log_id: '1' } };
}

describe('TikTok tokens', () => {
  test('validateToken returns the account and needs only the basic scope', async () => {
    const credentials = await connect('TIKTOK', 'open-1', ['user.info.basic']);

    expect(await tiktok.validateToken(credentials)).toEqual({ platformUserIds: ['open-1'] });
    expect(await callsOf('TIKTOK')).toEqual(['GET /v2/user/info/']);
  });

  test('a refresh returns a new token pair with its lifetime', async () => {
    const { accessToken, refreshToken } = await network.issueTokens({ userId: 'open-1' });
    const pair = await tiktok.refreshToken({ accessToken, refreshToken });
    const [call] = await sandbox.requests({ service: 'tiktok' });

    expect(pair).toMatchObject({ expiresInSeconds: 86_400 });
    expect(pair.refreshToken).not.toBe(refreshToken);
    expect(pair.scopes).toContain('video.publish');
    expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({
      client_key: 'sandbox-tiktok-app',
      client_secret: 'sandbox-tiktok-secret',
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    const credentials = { platformUserId: 'open-1', accessToken: pair.accessToken };
    expect(await tiktok.validateToken(credentials)).toMatchObject({ platformUserIds: ['open-1'] });
  });

  test.each([
    ['an invalid grant with status 200', 200, { error: 'invalid_grant' }, 'tokenInvalid'],
    ['an unknown app', 401, { error: 'invalid_client' }, 'unavailable'],
    ['too many calls', 429, { error: 'rate_limit_exceeded' }, 'rateLimited'],
    ['an internal error', 500, { error: 'internal_error' }, 'outcomeUnknown'],
    ['any other error', 400, { message: 'Bad' }, 'unavailable'],
  ])('refreshToken maps the error for %s', async (_what, status, body, kind) => {
    const { accessToken, refreshToken } = await network.issueTokens({ userId: 'open-1' });
    await sandbox.addFault({ service: 'tiktok', mode: 'error', status, body });

    expect(await failureOf(tiktok.refreshToken({ accessToken, refreshToken }))).toMatchObject({
      kind,
    });
  });

  test('a refresh without a response returns outcomeUnknown', async () => {
    const { accessToken, refreshToken } = await network.issueTokens({ userId: 'open-1' });
    await sandbox.addFault({ service: 'tiktok', mode: 'hang-after' });

    expect(await failureOf(tiktok.refreshToken({ accessToken, refreshToken }))).toMatchObject({
      kind: 'outcomeUnknown',
    });
    expect(await failureOf(tiktok.refreshToken({ accessToken }))).toMatchObject({
      kind: 'tokenInvalid',
    });
  });
});

describe('tokens of the Business app', () => {
  const business = tiktok.businessTokens;

  test('are accepted only by the Business API, which rejects the public tokens', async () => {
    const own = await connect('TIKTOK', 'open-1');
    const second = await connectBusiness('open-1');
    const message = { to: ada.id, text: 'Hi', echoTag: '' };

    expect(second.platformUserId).not.toBe(own.platformUserId);
    expect(await failureOf(tiktok.sendDirectMessage(own, message))).toMatchObject({
      kind: 'tokenInvalid',
      code: '40105',
    });
    expect(await failureOf(tiktok.validateToken(second))).toMatchObject({
      kind: 'tokenInvalid',
      code: 'access_token_invalid',
    });
    expect(await business?.validateToken(second)).toEqual({
      platformUserIds: [second.platformUserId],
      scopes: expect.arrayContaining(['comment.list', 'message.list.send']),
    });
    expect(await failureOf(Promise.resolve(business?.validateToken(own)))).toMatchObject({
      kind: 'tokenInvalid',
    });
  });

  test('reject the account id of the other app', async () => {
    const { accessToken } = await connectBusiness('open-1');
    const mixed = { platformUserId: 'open-1', accessToken };

    expect(await failureOf(tiktok.fetchComments(mixed, ago(60)))).toMatchObject({
      kind: 'scopeMissing',
      code: '40001',
    });
  });

  test('are refreshed with the credentials of their own app', async () => {
    const { accessToken, refreshToken, openId } = await network.issueBusinessToken({
      userId: 'open-1',
    });
    const pair = await business?.refreshToken({ accessToken, refreshToken });
    const [call] = await sandbox.requests({ service: 'tiktok' });

    expect(call?.path).toBe('/open_api/v1.3/tt_user/oauth2/refresh_token/');
    expect(JSON.parse(String(call?.body))).toEqual({
      client_id: 'sandbox-tiktok-business-app',
      client_secret: 'sandbox-tiktok-business-secret',
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    expect(pair).toMatchObject({ expiresInSeconds: 86_400 });
    expect(pair?.refreshToken).not.toBe(refreshToken);
    const renewed = { platformUserId: openId, accessToken: String(pair?.accessToken) };
    expect(await business?.validateToken(renewed)).toMatchObject({ platformUserIds: [openId] });
    const again = Promise.resolve(business?.refreshToken({ accessToken, refreshToken }));
    expect(await failureOf(again)).toMatchObject({ kind: 'tokenInvalid', code: '40107' });
  });

  test.each([
    ['a wrong app secret', 40_101, 'unavailable'],
    ['an unknown code', 40_999, 'unavailable'],
    ['too many calls', 40_100, 'rateLimited'],
    ['an internal error', 50_000, 'outcomeUnknown'],
    ['an expired refresh token', 40_103, 'tokenInvalid'],
  ])('map the error of a refresh for %s', async (_what, code, kind) => {
    const pair = await network.issueBusinessToken({ userId: 'open-1' });
    await sandbox.addFault({
      service: 'tiktok',
      mode: 'error',
      status: 200,
      body: { code, message: 'No' },
    });

    expect(await failureOf(Promise.resolve(business?.refreshToken(pair)))).toMatchObject({ kind });
  });
});

describe('publishing on TikTok', () => {
  test('a video is published after a creator query, and its status is polled', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    await network.setAccount('open-1', { name: 'Bakery' });
    const { handle, state } = await publish(credentials);
    const first = await probe(credentials, handle);
    await probe(credentials, handle);
    const last = await probe(credentials, handle);
    const [post] = await network.posts('open-1');

    expect(state).toBe('processing');
    expect(handle).toMatchObject({ publishId: expect.stringMatching(/^v_pub_url/) });
    expect(first).toEqual({ state: 'processing', retryAfterMs: 5_000 });
    expect(last).toEqual({
      state: 'published',
      platformPostId: post?.id,
      url: `https://www.tiktok.com/@bakery/video/${post?.id}`,
    });
    expect(post).toMatchObject({ text: 'A film', media: film.mediaUrls });
    expect(await callsOf('TIKTOK')).toEqual([
      'POST /v2/post/publish/creator_info/query/',
      'POST /v2/post/publish/video/init/',
      'POST /v2/post/publish/status/fetch/',
      'POST /v2/post/publish/status/fetch/',
      'POST /v2/post/publish/status/fetch/',
    ]);
    const [, call] = await sandbox.requests({ service: 'tiktok' });
    expect(JSON.parse(String(call?.body))).toEqual({
      post_info: {
        title: 'A film',
        privacy_level: 'PUBLIC_TO_EVERYONE',
        disable_comment: false,
        disable_duet: false,
        disable_stitch: true,
      },
      source_info: { source: 'PULL_FROM_URL', video_url: film.mediaUrls[0] },
    });
  });

  test('photos are published with a separate call', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    await publish(credentials, photos);

    expect(await network.posts('open-1')).toMatchObject([
      { text: 'Look', media: photos.mediaUrls },
    ]);
    expect(await callsOf('TIKTOK')).toContain('POST /v2/post/publish/content/init/');
  });

  test.each([
    ['comments', 'comment'],
    ['duets', 'duet'],
    ['stitches', 'stitch'],
  ])('%s are off where the creator has them off', async (_, name) => {
    const credentials = await connect('TIKTOK', 'open-1');
    const creator = {
      creator_username: 'ada',
      privacy_level_options: ['SELF_ONLY'],
      [`${name}_disabled`]: true,
    };
    const body = { data: creator, error: { code: 'ok', message: '', log_id: '1' } };
    await sandbox.addFault({ service: 'tiktok', mode: 'error', status: 200, body, times: 1 });
    await publish(credentials);
    const [, call] = await sandbox.requests({ service: 'tiktok' });

    expect(JSON.parse(String(call?.body)).post_info).toEqual({
      title: 'A film',
      privacy_level: 'SELF_ONLY',
      disable_comment: false,
      disable_duet: false,
      disable_stitch: false,
      [`disable_${name}`]: true,
    });
  });

  test('a restricted account publishes with the widest privacy level it may use', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    const creator = { creator_username: 'ada', privacy_level_options: ['SELF_ONLY'] };
    const body = { data: creator, error: { code: 'ok', message: '', log_id: '1' } };
    await sandbox.addFault({ service: 'tiktok', mode: 'error', status: 200, body, times: 1 });

    expect(await tiktok.prepare(credentials, film)).toMatchObject({
      state: 'ready',
      handle: { privacyLevel: 'SELF_ONLY', username: 'ada' },
    });
  });

  test.each([
    ['no media', []],
    ['two videos', ['https://example.com/1.mp4', 'https://example.com/2.mp4']],
    ['a video among photos', ['https://example.com/1.mp4', 'https://example.com/2.jpg']],
    ['36 photos', Array.from({ length: 36 }, (_, index) => `https://example.com/${index}.jpg`)],
    ['a private URL', ['https://169.254.169.254/latest']],
  ])('a post with %s is rejected without a call', async (_what, mediaUrls) => {
    const credentials = await connect('TIKTOK', 'open-1');
    const publication = { text: 'Text', mediaUrls };

    expect(await failureOf(tiktok.prepare(credentials, publication))).toMatchObject({
      kind: 'refused',
    });
    expect(await callsOf('TIKTOK')).toEqual([]);
  });

  test.each([
    ['video/mp4', { kind: 'video' }],
    ['image/jpeg', { kind: 'image' }],
  ])(
    'a URL without a known extension is checked for its content type (%s)',
    async (type, handle) => {
      const credentials = await connect('TIKTOK', 'open-1');
      const url = await mediaAt(type, Buffer.alloc(10));

      expect(await tiktok.prepare(credentials, { text: '', mediaUrls: [url] })).toMatchObject({
        handle,
      });
    },
  );

  test('media that are neither a video nor a photo are rejected', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    const mediaUrls = [await mediaAt('application/pdf', Buffer.alloc(10))];

    expect(await failureOf(tiktok.prepare(credentials, { text: '', mediaUrls }))).toMatchObject({
      kind: 'refused',
    });
  });

  test('a creator above the daily limit is rate limited before anything is sent', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    const body = refusal('spam_risk_too_many_posts', 'The daily post cap is reached.');
    await sandbox.addFault({
      service: 'tiktok',
      path: 'creator_info',
      mode: 'error',
      status: 403,
      body,
    });

    expect(await failureOf(publish(credentials))).toMatchObject({
      kind: 'rateLimited',
      retryAfterMs: 3_600_000,
      code: 'spam_risk_too_many_posts',
      message: 'The daily post cap is reached.',
    });
    expect(await callsOf('TIKTOK')).toHaveLength(1);
  });

  test('media that TikTok cannot process fail with a reason', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    const broken = {
      text: 'A film',
      mediaUrls: ['https://example.com/fail-video_pull_failed.mp4'],
    };
    const { handle } = await publish(credentials, broken);
    await probe(credentials, handle, broken);

    expect(await probe(credentials, handle, broken)).toEqual({
      state: 'failed',
      reason: 'video_pull_failed',
    });
    expect(await network.posts('open-1')).toEqual([]);
  });

  test('a post with a lost id is found among the videos, or remains unknown', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    expect(await probe(credentials, {})).toEqual({ state: 'unknown' });
    await publish(credentials);
    const [post] = await network.posts('open-1');

    expect(await probe(credentials, {})).toEqual({
      state: 'published',
      platformPostId: post?.id,
      url: post?.url,
    });
    expect(await probe(credentials, {}, film, ago(-60))).toEqual({ state: 'unknown' });
    expect(await probe(credentials, {}, { ...film, text: 'Another' })).toEqual({
      state: 'unknown',
    });
  });

  test('events report a publication, and its post id only after moderation', async () => {
    const deliveries: Array<ReturnType<typeof received>> = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const serviceUrl = await localServer(async (request, response) => {
      const parts = await request.toArray();
      deliveries.push({
        rawBody: Buffer.concat(parts),
        headers: request.headers as Record<string, string>,
      });
      response.end();
      if (deliveries.length === 2) {
        resolve();
      }
    });
    await sandbox.setServiceUrl(serviceUrl);
    const credentials = await connect('TIKTOK', 'open-1');
    const { handle } = await publish(credentials);
    await probe(credentials, handle);
    await probe(credentials, handle);
    await promise;
    const [post] = await network.posts('open-1');
    const events = deliveries.map(({ rawBody }) => tiktok.parseEvents(rawBody)[0]);

    for (const { rawBody, headers } of deliveries) {
      expect(await tiktok.verifySignature(rawBody, headers)).toBe(true);
    }
    expect(events).toMatchObject([
      { platformUserId: 'open-1', messageId: handle.publishId, details: { state: 'published' } },
      { platformPostId: post?.id, messageId: handle.publishId, details: { state: 'public' } },
    ]);
    expect(events[0]).not.toHaveProperty('platformPostId');
  });

  test('a publication that TikTok no longer knows has an unknown outcome', async () => {
    const credentials = await connect('TIKTOK', 'open-1');

    expect(await probe(credentials, { publishId: 'v_pub_url~v2.404' })).toEqual({
      state: 'unknown',
    });
  });

  test('a post in moderation uses its publish id until it has a post id', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    const { handle } = await publish(credentials);
    await probe(credentials, handle);
    const publishId = String(handle.publishId);

    expect(await probe(credentials, handle)).toEqual({
      state: 'published',
      platformPostId: publishId,
      url: null,
    });
    expect(await tiktok.fetchPostMetrics(credentials, [publishId])).toMatchObject([{ likes: 0 }]);
    const [post] = await network.posts('open-1');
    expect(await probe(credentials, handle)).toMatchObject({ platformPostId: post?.id });
  });
});

describe('post metrics on TikTok', () => {
  test('metrics are requested in batches of twenty', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    const ids = Array.from({ length: 45 }, (_, index) => String(index));

    expect(await tiktok.fetchPostMetrics(credentials, ids)).toHaveLength(45);
    expect(await callsOf('TIKTOK')).toHaveLength(3);
  });
});

describe('TikTok errors', () => {
  test.each([
    [400, 'invalid_params', 'refused'],
    [401, 'access_token_invalid', 'tokenInvalid'],
    [401, 'scope_not_authorized', 'scopeMissing'],
    [403, 'unaudited_client_can_only_post_to_private_accounts', 'refused'],
    [403, 'url_ownership_unverified', 'refused'],
    [429, 'rate_limit_exceeded', 'rateLimited'],
    [500, 'internal_error', 'outcomeUnknown'],
    [503, 'internal_error', 'unavailable'],
    [200, 'internal_error', 'outcomeUnknown'],
    [200, 'access_token_invalid', 'tokenInvalid'],
  ])('status %i with %s becomes %s', async (status, code, kind) => {
    const credentials = await connect('TIKTOK', 'open-1');
    const body = refusal(code);
    await sandbox.addFault({ service: 'tiktok', path: 'init', mode: 'error', status, body });

    expect(await failureOf(publish(credentials))).toMatchObject({ platform: 'TIKTOK', kind });
    expect(await callsOf('TIKTOK')).toHaveLength(2);
  });

  test.each([
    [200, { code: 40_001, message: 'No' }, 'scopeMissing'],
    [200, { code: 40_002, message: 'No' }, 'refused'],
    [200, { code: 40_100, message: 'No' }, 'rateLimited'],
    [200, { code: 40_105, message: 'No' }, 'tokenInvalid'],
    [200, { code: 50_000, message: 'No' }, 'outcomeUnknown'],
    [200, {}, 'outcomeUnknown'],
    [200, { code: 0, message: 'OK', data: {} }, 'outcomeUnknown'],
    [503, {}, 'unavailable'],
  ])('the Business API response %i %j becomes %s', async (status, body, kind) => {
    const credentials = await connect('TIKTOK', 'open-1');
    await sandbox.addFault({ service: 'tiktok', mode: 'error', status, body });
    const sending = tiktok.sendDirectMessage(credentials, { to: ada.id, text: 'Hi', echoTag: '' });

    expect(await failureOf(sending)).toMatchObject({ platform: 'TIKTOK', kind });
    expect(await callsOf('TIKTOK')).toHaveLength(1);
  });

  test('more than six posts a minute are rate limited for a minute', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    for (let post = 0; post < 6; post += 1) {
      await publish(credentials);
    }

    expect(await failureOf(publish(credentials))).toMatchObject({
      kind: 'rateLimited',
      retryAfterMs: 60_000,
    });
    pass(60_000);
    expect(await publish(credentials)).toMatchObject({ state: 'processing' });
  });
});

describe('TikTok customers', () => {
  const event = { userId: 'open-1', from: ada, text: 'How much?', deliveries: 0 } as const;

  test('a direct message is answered in its conversation', async () => {
    const credentials = await connectBusiness('open-1');
    const sent = await network.sendEvent({ ...event, type: 'message' });
    const { rawBody, headers } = received(sent);
    const [message] = tiktok.parseEvents(rawBody);

    expect(await tiktok.verifySignature(rawBody, headers)).toBe(true);
    expect(message).toMatchObject({
      type: 'message',
      from: ada,
      text: event.text,
      messageId: sent.eventId,
      isEcho: false,
    });
    const answer = { to: String(message?.from.id), text: 'It is 5.', echoTag: '' };
    const { id } = await tiktok.sendDirectMessage(credentials, answer);
    expect(await network.replies('open-1')).toMatchObject([
      { id, kind: 'message', to: ada.id, text: 'It is 5.' },
    ]);
    const echo = await network.sendEvent({ ...event, type: 'message', echo: true, eventId: id });
    expect(tiktok.parseEvents(received(echo).rawBody)).toMatchObject([
      { isEcho: true, messageId: id, to: ada, text: 'It is 5.' },
    ]);
  });

  test('a comment is answered below the comment', async () => {
    const credentials = await connectBusiness('open-1');
    await publish(await connect('TIKTOK', 'open-1'));
    const [post] = await network.posts('open-1');
    const sent = await network.sendEvent({ ...event, type: 'comment' });
    const [announced] = tiktok.parseEvents(received(sent).rawBody);

    expect(announced).toMatchObject({ text: '', from: { id: '' } });
    expect(await tiktok.completeEvent?.(credentials, announced as NormalisedEvent)).toMatchObject({
      type: 'comment',
      platformUserId: credentials.platformUserId,
      from: ada,
      text: event.text,
      platformPostId: post?.id,
      messageId: sent.eventId,
    });
    const { id } = await tiktok.replyToComment(credentials, {
      commentId: sent.eventId,
      platformPostId: post?.id,
      text: 'It is 5.',
    });
    expect(await network.replies('open-1')).toMatchObject([
      { id, kind: 'comment', to: ada.id, inReplyTo: sent.eventId, text: 'It is 5.' },
    ]);
  });

  test('completeEvent fetches the text and the author of a comment that lacks them', async () => {
    const credentials = await connectBusiness('open-1');
    const sent = await network.sendEvent({ ...event, type: 'comment', postId: '7' });
    const [announced] = tiktok.parseEvents(received(sent).rawBody) as [NormalisedEvent];
    const complete = (told: NormalisedEvent) => tiktok.completeEvent?.(credentials, told);
    const { isIncomplete, ...known } = announced;
    const whole = { ...known, text: 'How much?', from: { ...ada, username: ada.name } };

    expect(isIncomplete).toBe(true);
    expect(await complete(announced)).toEqual(whole);
    expect(await complete({ ...announced, messageId: '404' })).toBeUndefined();
  });

  test('a comment of the account itself is an echo', async () => {
    const credentials = await connectBusiness('open-1');
    const sent = await network.sendEvent({ ...event, type: 'comment', echo: true });
    const [announced] = tiktok.parseEvents(received(sent).rawBody) as [NormalisedEvent];

    expect(await tiktok.completeEvent?.(credentials, announced)).toMatchObject({
      isEcho: true,
      from: { id: credentials.platformUserId },
    });
  });

  test('an account that never authorized the Business app causes no delivery', async () => {
    await connect('TIKTOK', 'open-1');

    expect((await network.sendEvent({ ...event, type: 'message' })).delivery).toBeUndefined();
  });

  test('a reply of 1,200 characters is accepted, and a longer one is rejected', async () => {
    const credentials = await connectBusiness('open-1');
    const { eventId } = await network.sendEvent({ ...event, type: 'comment', postId: '7' });
    const answer = (length: number) =>
      tiktok.replyToComment(credentials, {
        commentId: eventId,
        platformPostId: '7',
        text: 'x'.repeat(length),
      });

    expect(await answer(1_200)).toEqual({ id: expect.stringMatching(/^\d{19}$/) });
    expect(await failureOf(answer(1_201))).toMatchObject({ kind: 'refused', code: '40002' });
  });

  test('a reply without its video or to a missing comment is rejected', async () => {
    const credentials = await connectBusiness('open-1');
    const reply = { commentId: '404', text: 'Hi' };

    expect(await failureOf(tiktok.replyToComment(credentials, reply))).toMatchObject({
      kind: 'refused',
    });
    expect(await callsOf('TIKTOK')).toEqual([]);
    const elsewhere = tiktok.replyToComment(credentials, { ...reply, platformPostId: '1' });
    expect(await failureOf(elsewhere)).toMatchObject({ kind: 'refused', code: '40002' });
  });

  test('mentions and private replies are not supported', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    const reply = { commentId: '1', text: 'Hi', echoTag: '' };

    await expect(network.sendEvent({ ...event, type: 'mention' })).rejects.toThrow('400');
    expect(await failureOf(tiktok.privateReply(credentials, reply))).toMatchObject({
      message: 'TIKTOK does not support privateReply',
    });
  });
});

describe('TikTok subscriptions', () => {
  test('subscribing sets the callback of the app, and unsubscribing an account keeps it', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    const url = 'https://service.example.com/webhooks/tiktok';
    await tiktok.subscribe(credentials, url);
    await tiktok.unsubscribe(credentials);

    expect(await network.subscriptions()).toMatchObject([
      { fields: ['DIRECT_MESSAGE'], callbackUrl: url },
      { fields: ['COMMENT'], callbackUrl: url },
    ]);
    expect(await callsOf('TIKTOK')).toEqual([
      'POST /open_api/v1.3/business/webhook/update/',
      'POST /open_api/v1.3/business/webhook/update/',
    ]);
    const [request] = await sandbox.requests({ service: 'tiktok' });
    expect(JSON.parse(String(request?.body))).toMatchObject({
      app_id: 'sandbox-tiktok-business-app',
      secret: 'sandbox-tiktok-business-secret',
    });
    const wrong = { app_id: 'sandbox-tiktok-app', secret: 'sandbox-tiktok-secret' };
    const response = await fetch(
      `${process.env.TIKTOK_BUSINESS_API_BASE}/open_api/v1.3/business/webhook/update/`,
      {
        method: 'POST',
        body: JSON.stringify({ ...wrong, event_type: 'COMMENT', callback_url: url }),
      },
    );
    expect(await response.json()).toMatchObject({ code: 40_101 });
  });

  test('rejected app credentials are an outage, not an invalid token', async () => {
    const credentials = await connect('TIKTOK', 'open-1');
    const body = { code: 40_104, message: 'The app_id or the secret is incorrect.' };
    await sandbox.addFault({ service: 'tiktok', mode: 'error', status: 200, body });

    expect(await failureOf(tiktok.subscribe(credentials, 'https://a.example'))).toMatchObject({
      kind: 'unavailable',
    });
  });
});
