import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { toLittleText } from '#lib/vendors/networks/linkedin/little-text.ts';
import type { Credentials, Publication } from '#lib/vendors/networks/network.ts';
import { networkOf } from '#tests/support/networks.ts';
import { localServer, mediaFiles } from './local-servers.ts';
import { callsOf, connect, failureOf, pass, received, sandbox, useSandbox } from './setup.ts';

useSandbox();

const linkedin = networkOf('LINKEDIN');
const network = sandbox.network('LINKEDIN');
const grace = { id: 'member-1', name: 'Grace' };
const callback = 'https://service.example.com/webhooks/linkedin';
const sixtyDaysSeconds = 60 * 86_400;

function text(content: string, mediaUrls: readonly string[] = []): Publication {
  return { text: content, mediaUrls };
}

async function publish(credentials: Credentials, publication = text('Hello')) {
  const { handle } = await linkedin.prepare(credentials, publication);

  return linkedin.commit(credentials, publication, handle);
}

async function publishedId(credentials: Credentials, content = 'Hello'): Promise<string> {
  const outcome = await publish(credentials, text(content));

  return outcome.state === 'published' ? outcome.platformPostId : '';
}

describe('tokens', () => {
  test('validateToken returns the organizations that the member administers', async () => {
    const pages = ['1', '2'].map((id) => ({ id, name: `Company ${id}` }));
    const { accessToken } = await network.issueTokens({ userId: 'member', pages });
    const facts = await linkedin.validateToken({ platformUserId: '1', accessToken });

    expect(facts).toMatchObject({ platformUserIds: ['1', '2'] });
    expect(facts.scopes).toContain('rw_organization_admin');
    const seconds = (Date.parse(String(facts.expiresAt)) - Date.now()) / 1_000;
    expect(Math.abs(seconds - sixtyDaysSeconds)).toBeLessThan(5);
    const [page] = await linkedin.listPages({ platformUserId: '1', accessToken });
    expect(page).toMatchObject({ platformPageId: '1', name: 'Company 1', followersCount: 1_000 });
  });

  test('a token that LinkedIn reports as inactive is invalid', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const body = { active: false, status: 'revoked' };
    const path = 'introspectToken';
    await sandbox.addFault({ service: 'linkedin', path, mode: 'error', status: 200, body });

    expect(await failureOf(linkedin.validateToken(credentials))).toMatchObject({
      kind: 'tokenInvalid',
    });
  });

  test('a refresh returns a new access token and keeps the refresh token', async () => {
    const { accessToken, refreshToken } = await network.issueTokens({ userId: '1' });
    const tokens = await linkedin.refreshToken({ accessToken, refreshToken });

    expect(tokens.refreshToken).toBe(refreshToken);
    expect(Math.abs(Number(tokens.expiresInSeconds) - sixtyDaysSeconds)).toBeLessThanOrEqual(2);
    expect(tokens.accessToken).not.toBe(accessToken);
    expect(
      await linkedin.validateToken({ platformUserId: '1', accessToken: tokens.accessToken }),
    ).toMatchObject({ platformUserIds: ['1'] });
    await network.revokeTokens(refreshToken);
    expect(await failureOf(linkedin.refreshToken({ accessToken, refreshToken }))).toMatchObject({
      kind: 'tokenInvalid',
      code: 'invalid_grant',
    });
    expect(await failureOf(linkedin.refreshToken({ accessToken }))).toMatchObject({
      kind: 'tokenInvalid',
    });
  });

  test('rejected app credentials are an outage, not an invalid token', async () => {
    const { accessToken, refreshToken } = await network.issueTokens({ userId: '1' });
    await sandbox.addFault({
      service: 'linkedin',
      path: 'oauth',
      mode: 'error',
      status: 401,
      body: { error: 'invalid_client', error_description: 'Client authentication failed' },
    });

    expect(await failureOf(linkedin.refreshToken({ accessToken, refreshToken }))).toMatchObject({
      kind: 'unavailable',
    });
  });
});

describe('API versions', () => {
  test('organizations are read with versioned calls, because LinkedIn ends the others', async () => {
    const credentials = await connect('LINKEDIN', '1');
    await linkedin.listPages(credentials);
    const legacy = await fetch(
      `${process.env.LINKEDIN_API_BASE}/v2/organizationalEntityAcls?q=roleAssignee`,
      { headers: { authorization: `Bearer ${credentials.accessToken}` } },
    );

    expect((await callsOf('LINKEDIN')).slice(0, 3).toSorted()).toEqual([
      'GET /rest/networkSizes/urn%3Ali%3Aorganization%3A1',
      'GET /rest/organizationAcls',
      'GET /rest/organizationsLookup',
    ]);
    expect(legacy.status).toBe(404);
  });

  test.each([
    ['a version that is over a year old', '202506'],
    ['a version that is not released yet', '203901'],
    ['a version that is not a month', 'latest'],
  ])('%s is rejected with 426', async (_what, version) => {
    vi.stubEnv('LINKEDIN_API_VERSION', version);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const credentials = await connect('LINKEDIN', '1');

    expect(await failureOf(linkedin.listPages(credentials))).toMatchObject({
      kind: 'refused',
      code: 'NONEXISTENT_VERSION',
    });
  });
});

describe('publishing', () => {
  test('a text post is one call with version headers, and its id comes from a header', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const outcome = await publish(credentials);
    const [post] = await network.posts('1');
    const [call] = await sandbox.requests({ service: 'linkedin' });

    expect(outcome).toEqual({ state: 'published', platformPostId: post?.id, url: post?.url });
    expect(await callsOf('LINKEDIN')).toEqual(['POST /rest/posts']);
    expect(call?.headers).toMatchObject({
      'linkedin-version': '202608',
      'x-restli-protocol-version': '2.0.0',
    });
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      author: 'urn:li:organization:1',
      lifecycleState: 'PUBLISHED',
      visibility: 'PUBLIC',
    });
  });

  test('a text with LinkedIn markup characters arrives unchanged', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const content = 'Save 20% (today) *only* @work {x} [y] <z> a_b ~c| back\\slash C# #1 #Größe_2!';
    await publish(credentials, text(content));

    expect(await network.posts('1')).toMatchObject([{ text: content }]);
    expect(toLittleText(content)).toContain('{hashtag|\\#|Größe\\_2}');
    expect(await linkedin.listRecentPosts(credentials)).toMatchObject([{ text: content }]);
  });

  test('an image is uploaded, ready immediately, and attached to the post', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const origin = await mediaFiles({ '/a.png': ['image/png', 'pixels'] });
    const publication = text('Look', [`${origin}/a.png`]);
    const progress = await linkedin.prepare(credentials, publication);
    expect(await network.posts('1')).toEqual([]);
    await linkedin.commit(credentials, publication, progress.handle);
    const [post] = await network.posts('1');

    expect(progress.state).toBe('ready');
    expect(post?.media).toEqual([expect.stringMatching(/^urn:li:image:/)]);
    expect(await callsOf('LINKEDIN')).toEqual([
      'POST /rest/images',
      expect.stringMatching(/^PUT \/dms-uploads\//),
      expect.stringMatching(/^GET \/rest\/images\/urn%3Ali%3Aimage/),
      'POST /rest/posts',
    ]);
  });

  test('a post can have several images, but not an image and a video', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const origin = await mediaFiles({
      '/a.png': ['image/png', 'a'],
      '/b.jpg': ['image/jpeg', 'b'],
      '/c.mp4': ['video/mp4', 'c'],
    });
    await publish(credentials, text('Two', [`${origin}/a.png`, `${origin}/b.jpg`]));
    const [post] = await network.posts('1');
    const uploads = (await sandbox.requests({ service: 'linkedin' }))
      .filter(({ method }) => method === 'PUT')
      .map(({ body }) => body);

    expect(post?.media).toHaveLength(2);
    expect(uploads.toSorted()).toEqual(['a', 'b']);
    expect(
      await failureOf(
        linkedin.prepare(credentials, text('Both', [`${origin}/a.png`, `${origin}/c.mp4`])),
      ),
    ).toMatchObject({ kind: 'refused' });
  });

  test('a video is uploaded in parts and not uploaded again while it is processed', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const film = randomBytes(4_194_304 + 1_000);
    const origin = await mediaFiles({ '/a.mp4': ['video/mp4', film] });
    const publication = text('Film', [`${origin}/a.mp4`]);
    const first = await linkedin.prepare(credentials, publication);
    const second = await linkedin.prepare(credentials, publication, first.handle);
    const outcome = await linkedin.commit(credentials, publication, second.handle);
    const calls = await callsOf('LINKEDIN');

    expect([first.state, second.state, outcome.state]).toEqual(['pending', 'ready', 'published']);
    expect(second.handle).toEqual(first.handle);
    expect(calls.filter((call) => call.startsWith('PUT'))).toHaveLength(2);
    expect(calls.filter((call) => call === 'POST /rest/videos')).toHaveLength(2);
  });

  test('unsupported or missing media are rejected before anything is published', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const origin = await mediaFiles({
      '/broken.png': ['image/png', 'corrupt'],
      '/a.txt': ['text/plain', 'x'],
    });
    for (const path of ['/broken.png', '/a.txt', '/gone.png']) {
      const prepared = linkedin.prepare(credentials, text('Look', [`${origin}${path}`]));
      expect(await failureOf(prepared)).toMatchObject({ kind: 'refused' });
    }
    expect(await network.posts('1')).toEqual([]);
  });
});

describe('failures', () => {
  test.each([
    [401, 'tokenInvalid'],
    [403, 'scopeMissing'],
    [404, 'notFound'],
    [422, 'refused'],
    [426, 'refused'],
    [429, 'rateLimited'],
    [500, 'outcomeUnknown'],
    [503, 'unavailable'],
  ])('publishing maps status %i to %s', async (status, kind) => {
    const credentials = await connect('LINKEDIN', '1');
    await sandbox.addFault({ service: 'linkedin', mode: 'error', status });

    expect(await failureOf(publish(credentials))).toMatchObject({ kind, platform: 'LINKEDIN' });
    expect(await callsOf('LINKEDIN')).toHaveLength(1);
  });

  test('a daily limit lasts until midnight UTC, unless LinkedIn sends retry-after', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const error = { service: 'linkedin', mode: 'error', status: 429 } as const;
    await sandbox.addFault({ ...error, headers: { 'retry-after': '7' }, times: 1 });
    expect(await failureOf(publish(credentials))).toMatchObject({ retryAfterMs: 7_000 });
    await sandbox.addFault(error);
    const midnight = new Date();
    midnight.setUTCHours(24, 0, 0, 0);
    const failure = (await failureOf(publish(credentials))) as { readonly retryAfterMs: number };

    expect(Math.abs(failure.retryAfterMs - (midnight.getTime() - Date.now()))).toBeLessThan(5_000);
  });

  test('publishing without the scope or the organization returns scopeMissing', async () => {
    const reader = await connect('LINKEDIN', '1', ['r_organization_social']);
    const stranger = { ...(await connect('LINKEDIN', '1')), platformUserId: '2' };

    for (const credentials of [reader, stranger]) {
      expect(await failureOf(publish(credentials))).toMatchObject({
        kind: 'scopeMissing',
        code: 'ACCESS_DENIED',
      });
    }
  });

  test('publishing above the daily limit returns rateLimited', async () => {
    const credentials = await connect('LINKEDIN', '1');
    for (let count = 0; count < 150; count += 1) {
      await publish(credentials);
    }

    expect(await failureOf(publish(credentials))).toMatchObject({ kind: 'rateLimited' });
  });
});

describe('a post without a response', () => {
  test('a lost post is found by its text and not confused with an older one', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const publication = text('Hello (again) #news');
    await publish(credentials, publication);
    pass(60_000);
    const start = new Date(Date.now() + 60_000).toISOString();
    expect(await linkedin.probe(credentials, publication, {}, start)).toEqual({ state: 'unknown' });

    await sandbox.addFault({ service: 'linkedin', method: 'POST', mode: 'hang-after', times: 1 });
    expect(await failureOf(publish(credentials, publication))).toMatchObject({
      kind: 'outcomeUnknown',
    });
    const [newest] = await network.posts('1');
    expect(await linkedin.probe(credentials, publication, {}, start)).toMatchObject({
      state: 'published',
      platformPostId: newest?.id,
    });
  });

  test.each([
    [0, 'unknown'],
    [4, 'unknown'],
    [6, 'absent'],
  ])('a missing post that was sent %i minutes ago is %s', async (minutes, state) => {
    const credentials = await connect('LINKEDIN', '1');
    const since = new Date(Date.now() - minutes * 60_000).toISOString();

    expect(await linkedin.probe(credentials, text('Hello'), {}, since)).toMatchObject({ state });
  });
});

describe('events', () => {
  test('subscribing and unsubscribing an organization are idempotent', async () => {
    const credentials = await connect('LINKEDIN', '1');
    await linkedin.subscribe(credentials, callback);
    await linkedin.subscribe(credentials, callback);
    expect(await network.subscriptions('1')).toMatchObject([{ callbackUrl: callback }]);

    await linkedin.unsubscribe(credentials);
    await linkedin.unsubscribe(credentials);
    expect(await network.subscriptions('1')).toEqual([]);
    const stranger = { ...credentials, platformUserId: '2' };
    expect(await failureOf(linkedin.subscribe(stranger, callback))).toMatchObject({
      kind: 'scopeMissing',
    });
  });

  test('a subscription that names the app by its client id is rejected', async () => {
    const { accessToken, platformUserId } = await connect('LINKEDIN', '1');
    const key = [
      'developerApplication:urn%3Ali%3AdeveloperApplication%3Asandbox-linkedin-app',
      'user:urn%3Ali%3Aperson%3Aadmin-of-1',
      `entity:urn%3Ali%3Aorganization%3A${platformUserId}`,
      'eventType:ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS',
    ];
    const response = await fetch(
      `${process.env.LINKEDIN_API_BASE}/rest/eventSubscriptions/(${key.join(',')})`,
      {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${accessToken}`,
          'linkedin-version': '202608',
          'x-restli-protocol-version': '2.0.0',
        },
        body: JSON.stringify({ webhook: callback }),
      },
    );

    expect(response.status).toBe(403);
    await linkedin.subscribe({ accessToken, platformUserId }, callback);
    expect((await callsOf('LINKEDIN')).at(-1)).toContain('developerApplication%3A86400001');
  });

  test('a challenge is answered with its digest, and other calls are ignored', async () => {
    const challengeCode = randomUUID();
    const reply = await linkedin.answerChallenge({ challengeCode, applicationId: 'app' });
    const expected = createHmac('sha256', 'sandbox-linkedin-secret')
      .update(challengeCode)
      .digest('hex');

    expect(reply).toMatchObject({ status: 200, contentType: 'application/json' });
    expect(JSON.parse(reply?.body ?? '')).toEqual({
      challengeCode,
      challengeResponse: expected,
    });
    expect(await linkedin.answerChallenge({ 'hub.challenge': 'x' })).toBeUndefined();
  });

  test('LinkedIn accepts only a callback with the correct challenge response', async () => {
    const service = await localServer(async (request, response) => {
      const url = new URL(request.url ?? '', 'http://service');
      const reply = await linkedin.answerChallenge(Object.fromEntries(url.searchParams));
      response.writeHead(200).end(url.pathname === '/right' ? reply?.body : 'wrong');
    });

    expect(await network.shakeHands({ callbackUrl: `${service}/right` })).toMatchObject({
      isAccepted: true,
    });
    expect(await network.shakeHands({ callbackUrl: `${service}/wrong` })).toMatchObject({
      isAccepted: false,
    });
  });

  test('a comment event has the ids that replies and posts use', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const postId = await publishedId(credentials);
    const event = await network.sendEvent({
      userId: '1',
      type: 'comment',
      text: 'How much is it?',
      from: grace,
      postId,
      eventId: 'event-1',
      deliveries: 0,
    });
    const { rawBody, headers } = received(event);

    expect(await linkedin.verifySignature(rawBody, headers)).toBe(true);
    expect(linkedin.parseEvents(rawBody)).toEqual([
      {
        eventId: 'event-1',
        platformUserId: '1',
        type: 'comment',
        channel: 'COMMENT',
        from: { id: 'member-1', name: 'LinkedIn member' },
        to: undefined,
        text: 'How much is it?',
        messageId: expect.stringMatching(/^urn:li:comment:\(urn:li:activity:\d+,event-1\)$/),
        platformPostId: postId,
        isEcho: false,
        occurredAt: expect.any(String),
      },
    ]);
  });

  test('a signature covers the whole body, with or without a prefix', async () => {
    const event = { userId: '1', type: 'comment', text: 'Hi', from: grace, deliveries: 0 } as const;
    const { rawBody, headers } = received(await network.sendEvent(event));
    const signature = headers['x-li-signature'] ?? '';
    const verify = (body: Buffer, given: string | undefined) =>
      linkedin.verifySignature(body, { 'x-li-signature': given });

    expect(await verify(rawBody, `hmacsha256=${signature}`)).toBe(true);
    expect(await verify(Buffer.concat([rawBody, Buffer.from(' ')]), signature)).toBe(false);
    const bare = createHmac('sha256', 'sandbox-linkedin-secret').update(rawBody).digest('hex');
    const foreign = createHash('sha256').update(rawBody).digest('hex');
    for (const wrong of [bare, foreign, signature.slice(2), '', undefined]) {
      expect(await verify(rawBody, wrong)).toBe(false);
    }
  });

  test('a mention in a post has the channel POST and can be answered', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const event = await network.sendEvent({
      userId: '1',
      type: 'mention',
      text: 'I like Company',
      from: grace,
      deliveries: 0,
    });
    const [told] = linkedin.parseEvents(received(event).rawBody);
    expect(told).toMatchObject({ type: 'mention', channel: 'POST', text: 'I like Company' });
    await linkedin.replyToComment(credentials, {
      commentId: told?.messageId ?? '',
      text: 'Thanks',
    });

    expect(await network.replies('1')).toMatchObject([{ to: 'member-1', text: 'Thanks' }]);
  });

  test('own comments are echoes, both in webhooks and in fetched lists', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const postId = await publishedId(credentials);
    const event = { userId: '1', text: 'Hi', from: grace, postId, deliveries: 0 } as const;
    const asked = received(await network.sendEvent({ ...event, type: 'comment' }));
    const [comment] = linkedin.parseEvents(asked.rawBody);
    const sent = await linkedin.replyToComment(credentials, {
      commentId: comment?.messageId ?? '',
      text: 'Hello Grace',
    });
    const ours = await network.sendEvent({ ...event, type: 'comment', eventId: sent.id });
    const byHand = await network.sendEvent({ ...event, type: 'comment', echo: true });

    expect(linkedin.parseEvents(received(ours).rawBody)).toMatchObject([
      { isEcho: true, messageId: sent.id, from: { id: '1' } },
    ]);
    expect(linkedin.parseEvents(received(byHand).rawBody)).toMatchObject([{ isEcho: true }]);
    const fetched = await linkedin.fetchComments(credentials, new Date(0).toISOString());
    expect(fetched.map(({ messageId, isEcho }) => [messageId, isEcho])).toEqual([
      [comment?.messageId, false],
      [sent.id, true],
      [expect.any(String), true],
    ]);
  });

  test('comments since a time are fetched page by page, oldest first', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const say = (content: string) =>
      network.sendEvent({
        userId: '1',
        type: 'comment',
        text: content,
        from: grace,
        deliveries: 0,
      });
    pass(-60_000);
    await say('before');
    pass(30_000);
    const since = new Date(Date.now() - 45_000).toISOString();
    await say('first');
    pass(30_000);
    await Promise.all(Array.from({ length: 100 }, (_, index) => say(`after ${index}`)));
    const events = await linkedin.fetchComments(credentials, since);

    expect(events[0]?.text).toBe('first');
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(101);
    expect(await callsOf('LINKEDIN')).toHaveLength(2);
  });

  test('edits and deletions of comments name the comment', () => {
    const organizationalEntity = 'urn:li:organization:1';
    const notification = {
      organizationalEntity,
      generatedActivity: 'urn:li:comment:(activity:2,3)',
      lastModifiedAt: 1_700_000_000_000,
    };
    const entity = 'urn:li:comment:(urn:li:activity:2,3)';
    const edited = { comment: { entity, owner: 'urn:li:person:4', text: 'Hello' } };
    const notifications = [
      {
        ...notification,
        notificationId: 1,
        action: 'COMMENT_EDIT',
        decoratedGeneratedActivity: edited,
      },
      { ...notification, notificationId: 2, action: 'COMMENT_DELETE' },
    ];

    expect(linkedin.parseEvents(Buffer.from(JSON.stringify({ notifications })))).toMatchObject([
      { eventId: '1', messageId: entity, action: 'edit', text: 'Hello' },
      { eventId: '2', messageId: entity, action: 'withdraw' },
    ]);
  });

  test('other notifications are skipped, and malformed deliveries are rejected', () => {
    const entity = 'urn:li:organization:1';
    const like = { notificationId: 1, organizationalEntity: entity, action: 'LIKE' };
    const share = { owner: 'urn:li:person:1', entity: 'urn:li:share:2' };
    const repost = { ...like, action: 'SHARE_MENTION', decoratedGeneratedActivity: { share } };
    const nobody = { ...like, action: 'COMMENT', generatedActivity: 'urn:li:comment:(x,1)' };
    const body = (value: unknown) => Buffer.from(JSON.stringify(value));

    expect(
      linkedin.parseEvents(body({ notifications: [like, repost, nobody, 'junk', null] })),
    ).toEqual([]);
    expect(() => linkedin.parseEvents(Buffer.from('<xml/>'))).toThrow(SyntaxError);
    expect(() => linkedin.parseEvents(body([1]))).toThrow(SyntaxError);
    expect(() => linkedin.parseEvents(body({ notifications: 'all' }))).toThrow(SyntaxError);
  });

  test('a reply appears under its comment and is not retried when its outcome is unknown', async () => {
    const credentials = await connect('LINKEDIN', '1');
    const event = { userId: '1', type: 'comment', text: 'Hi', from: grace, deliveries: 0 } as const;
    const [told] = linkedin.parseEvents(received(await network.sendEvent(event)).rawBody);
    const commentId = told?.messageId ?? '';
    await linkedin.replyToComment(credentials, { commentId, text: 'Hello' });
    expect(await network.replies('1')).toMatchObject([
      { kind: 'comment', to: 'member-1', inReplyTo: commentId, text: 'Hello' },
    ]);
    const gone = commentId.replace(/,\d+\)$/, ',404)');
    expect(
      await failureOf(linkedin.replyToComment(credentials, { commentId: gone, text: 'Hello' })),
    ).toMatchObject({ kind: 'notFound' });

    await sandbox.addFault({ service: 'linkedin', mode: 'hang-after' });
    expect(
      await failureOf(linkedin.replyToComment(credentials, { commentId, text: 'Again' })),
    ).toMatchObject({ kind: 'outcomeUnknown' });
    expect(await network.replies('1')).toHaveLength(2);
  });
});
