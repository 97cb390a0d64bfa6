import { describe, expect, test } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import type { NormalisedEvent, Publication } from '#lib/vendors/networks/network.ts';
import { networkOf } from '#tests/support/networks.ts';
import { callsOf, connect, failureOf, pass, received, sandbox, useSandbox } from './setup.ts';

useSandbox();

const instagram = networkOf('INSTAGRAM');
const network = sandbox.network('INSTAGRAM');
const ada = { id: 'customer-1', name: 'ada' };
const version = '/v25.0';
const dayMs = 86_400_000;
const image: Publication = { text: 'Look', mediaUrls: ['https://example.com/1.jpg'] };
const reel: Publication = { text: 'Film', mediaUrls: ['https://example.com/1.mp4'] };

function now(offsetMs = 0): string {
  return new Date(Date.now() + offsetMs).toISOString();
}

async function publish(credentials: Awaited<ReturnType<typeof connect>>, publication = image) {
  const { handle } = await instagram.prepare(credentials, publication);

  return { handle, outcome: await instagram.commit(credentials, publication, handle) };
}

describe('tokens', () => {
  test('refreshToken returns a token with the full lifetime, but not twice within a day', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const longer = await instagram.refreshToken(credentials);

    expect(longer).toMatchObject({ expiresInSeconds: 60 * 86_400 });
    expect(longer.scopes).toContain('instagram_business_basic');
    expect(longer.accessToken).not.toBe(credentials.accessToken);
    expect(await failureOf(instagram.refreshToken(longer))).toMatchObject({ kind: 'refused' });
    pass(dayMs);
    expect((await instagram.refreshToken(longer)).accessToken).not.toBe(longer.accessToken);
  });

  test('refreshToken rejects an expired token', async () => {
    const { accessToken } = await network.issueTokens({ userId: 'ig-1', expiresIn: 10 });
    pass(10_000);

    expect(await failureOf(instagram.refreshToken({ accessToken }))).toMatchObject({
      kind: 'tokenInvalid',
    });
  });
});

describe('publishing', () => {
  test('an image is published from a container after its status is checked', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const prepared = await instagram.prepare(credentials, image);
    expect(prepared.state).toBe('ready');
    expect(await network.posts()).toEqual([]);

    const outcome = await instagram.commit(credentials, image, prepared.handle);
    const [post] = await network.posts('ig-1');
    const id = String(post?.id);
    expect(outcome).toEqual({ state: 'published', platformPostId: id, url: post?.url });
    expect(post).toMatchObject({ text: 'Look', media: image.mediaUrls });
    expect(await callsOf('INSTAGRAM')).toEqual([
      `POST ${version}/ig-1/media`,
      `GET ${version}/${prepared.handle.containerId}`,
      `POST ${version}/ig-1/media_publish`,
      `GET ${version}/${id}`,
    ]);
  });

  test('a video in processing keeps its container', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const first = await instagram.prepare(credentials, reel);
    const second = await instagram.prepare(credentials, reel, first.handle);

    expect(first).toMatchObject({ state: 'pending', retryAfterMs: expect.any(Number) });
    expect(second).toEqual({ state: 'ready', handle: first.handle });
    expect((await callsOf('INSTAGRAM')).filter((call) => call.startsWith('POST'))).toHaveLength(1);
    expect(await instagram.commit(credentials, reel, second.handle)).toMatchObject({
      state: 'published',
    });
  });

  test('a carousel is created in order once all its parts are finished', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const mediaUrls = [
      'https://example.com/1.jpg',
      'https://example.com/2.mp4',
      'https://example.com/3.jpg',
    ];
    const publication = { text: 'Three', mediaUrls };
    const first = await instagram.prepare(credentials, publication);
    const second = await instagram.prepare(credentials, publication, first.handle);

    expect(first).toMatchObject({ state: 'pending', handle: { childIds: expect.any(Array) } });
    expect(second).toMatchObject({ state: 'ready', handle: { containerId: expect.any(String) } });
    await instagram.commit(credentials, publication, second.handle);
    expect(await network.posts()).toMatchObject([{ text: 'Three', media: mediaUrls }]);
  });

  test('a post without media is rejected without a call', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');

    expect(
      await failureOf(instagram.prepare(credentials, { text: 'Words', mediaUrls: [] })),
    ).toMatchObject({ kind: 'refused' });
    expect(await callsOf('INSTAGRAM')).toEqual([]);
  });

  test('media that Instagram cannot process are rejected with its reason', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const broken = { text: 'Look', mediaUrls: ['https://example.com/broken.jpg'] };

    expect(await failureOf(instagram.prepare(credentials, broken))).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('2207052'),
    });
  });

  test('an expired container is created again', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const { handle } = await instagram.prepare(credentials, image);
    pass(dayMs + 1_000);
    const again = await instagram.prepare(credentials, image, handle);

    expect(again).toMatchObject({ state: 'pending', handle: {} });
    const anew = await instagram.prepare(credentials, image, again.handle);
    expect(anew.state).toBe('ready');
    expect(anew.handle.containerId).not.toBe(handle.containerId);
  });

  test('an unfinished container returns unavailable, so that publishing is retried', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    await sandbox.addFault({
      service: 'instagram',
      method: 'POST',
      path: 'media_publish',
      mode: 'error',
      status: 400,
      body: { error: { code: 9_007, error_subcode: 2_207_027, message: 'Not ready' } },
    });

    expect(await failureOf(publish(credentials))).toMatchObject({ kind: 'unavailable' });
  });

  test.each([
    ['hang-after', 'published'],
    ['hang', 'absent'],
  ] as const)('after %s the container status shows that the post is %s', async (mode, state) => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const { handle } = await instagram.prepare(credentials, image);
    await sandbox.addFault({ service: 'instagram', method: 'POST', mode, times: 1 });

    expect(await failureOf(instagram.commit(credentials, image, handle))).toMatchObject({
      kind: 'outcomeUnknown',
    });
    const outcome = await instagram.probe(credentials, image, handle, now(-1_000));
    const posts = await network.posts('ig-1');
    expect(outcome.state).toBe(state);
    expect(posts.map(({ id }) => id)).toEqual(
      outcome.state === 'published' ? [outcome.platformPostId] : [],
    );
  });

  test('probing an expired container returns failed', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const { handle } = await instagram.prepare(credentials, image);
    pass(dayMs + 1_000);

    expect(await instagram.probe(credentials, image, handle, now(-1_000))).toMatchObject({
      state: 'failed',
    });
  });

  test('publishing a container twice returns outcomeUnknown and creates one post', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const { handle } = await publish(credentials);

    expect(await failureOf(instagram.commit(credentials, image, handle))).toMatchObject({
      kind: 'outcomeUnknown',
    });
    expect(await failureOf(instagram.prepare(credentials, image, handle))).toMatchObject({
      kind: 'outcomeUnknown',
    });
    expect(await network.posts('ig-1')).toHaveLength(1);
  });

  test('a post with a changed caption is found as the newest one since publishing', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const { handle } = await publish(credentials, { ...image, text: 'Changed' });
    const probe = (since: string) => instagram.probe(credentials, image, handle, since);
    const [post] = await network.posts('ig-1');

    expect(await probe(now(-1_000))).toMatchObject({
      state: 'published',
      platformPostId: post?.id,
    });
    expect(await probe(now(60_000))).toMatchObject({ state: 'processing' });
    expect(await instagram.probe(credentials, image, {}, now())).toEqual({ state: 'unknown' });
  });

  test('a post is published even if its URL cannot be read', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const { handle } = await instagram.prepare(credentials, image);
    await sandbox.addFault({ service: 'instagram', method: 'GET', mode: 'down' });

    expect(await instagram.commit(credentials, image, handle)).toMatchObject({
      state: 'published',
      url: null,
    });
  });

  test('a post above the network quota is rate limited until the window ends', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    await publish(credentials);
    expect(await instagram.fetchPublishingQuota?.(credentials)).toEqual({
      used: 1,
      total: 100,
      windowMs: dayMs,
    });

    for (let count = 1; count < 100; count += 1) {
      await publish(credentials);
    }
    expect(await failureOf(publish(credentials))).toMatchObject({ kind: 'rateLimited' });
    pass(dayMs);
    expect((await publish(credentials)).outcome.state).toBe('published');
  });

  test('deletePost is rejected without a call, because this host has no deletion', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    await publish(credentials);
    const [post] = await network.posts('ig-1');
    const before = await callsOf('INSTAGRAM');

    expect(await failureOf(instagram.deletePost(credentials, String(post?.id)))).toMatchObject({
      message: 'INSTAGRAM does not support deletePost',
    });
    expect(await callsOf('INSTAGRAM')).toEqual(before);
    const refused = await fetch(
      `${config.networks.instagram.apiBase}/v25.0/${post?.id}?access_token=${credentials.accessToken}`,
      { method: 'DELETE' },
    );
    expect(await refused.json()).toMatchObject({
      error: {
        code: 100,
        error_subcode: 33,
        message: expect.stringMatching(/^Unsupported delete request/),
      },
    });
    expect(await network.posts('ig-1')).toHaveLength(1);
  });
});

describe('the webhook callback', () => {
  test('an account is subscribed and unsubscribed', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    await instagram.subscribe(credentials, 'https://example.com/webhooks/instagram');
    expect(await network.subscriptions('ig-1')).toMatchObject([
      {
        fields: ['comments', 'live_comments', 'messages', 'message_edit', 'messaging_postbacks'],
      },
    ]);
    await instagram.unsubscribe(credentials);
    expect(await network.subscriptions()).toEqual([]);
  });

  test('the handshake accepts only the verify token of Instagram', async () => {
    const query = { 'hub.mode': 'subscribe', 'hub.challenge': '42' };

    expect(
      await instagram.answerChallenge({ ...query, 'hub.verify_token': 'sandbox-instagram-verify' }),
    ).toMatchObject({ status: 200, body: '42' });
    expect(
      await instagram.answerChallenge({ ...query, 'hub.verify_token': 'sandbox-facebook-verify' }),
    ).toMatchObject({ status: 403 });
  });

  test('signatures with the Instagram or Facebook app secret are valid, others are not', async () => {
    const event = { type: 'message', text: 'Hi', from: ada, deliveries: 0 } as const;
    const own = received(await network.sendEvent({ ...event, userId: 'ig-1' }));
    const facebooks = received(
      await sandbox.network('FACEBOOK').sendEvent({ ...event, userId: 'page-1' }),
    );

    expect(await instagram.verifySignature(own.rawBody, own.headers)).toBe(true);
    expect(await instagram.verifySignature(facebooks.rawBody, facebooks.headers)).toBe(true);
    expect(await instagram.verifySignature(own.rawBody, facebooks.headers)).toBe(false);
    expect(await networkOf('FACEBOOK').verifySignature(own.rawBody, own.headers)).toBe(false);
  });
});

describe('events', () => {
  async function eventsOf(
    event: Omit<Parameters<typeof network.sendEvent>[0], 'userId' | 'from' | 'deliveries'>,
  ) {
    const sent = await network.sendEvent({ userId: 'ig-1', from: ada, deliveries: 0, ...event });

    return { sent, events: instagram.parseEvents(received(sent).rawBody) };
  }

  test('message and comment events have their author and place', async () => {
    const message = await eventsOf({ type: 'message', text: 'Hi' });
    const comment = await eventsOf({ type: 'comment', text: 'How much?', postId: '77' });

    expect(message.events).toMatchObject([
      { eventId: message.sent.eventId, type: 'message', from: { id: ada.id }, isEcho: false },
    ]);
    expect(comment.events).toEqual([
      {
        eventId: comment.sent.eventId,
        platformUserId: 'ig-1',
        type: 'comment',
        channel: 'COMMENT',
        from: { ...ada, username: ada.name },
        to: undefined,
        text: 'How much?',
        messageId: comment.sent.eventId,
        platformPostId: '77',
        isEcho: false,
        occurredAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  test('messages of the account itself are echoes, identified by message id', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    await eventsOf({ type: 'message', text: 'Hi' });
    const { id } = await instagram.sendDirectMessage(credentials, {
      to: ada.id,
      text: 'Hello',
      echoTag: 'tag',
    });
    const echo = await eventsOf({ type: 'message', text: '', echo: true, eventId: id });
    const comment = await eventsOf({ type: 'comment', text: 'Thanks', echo: true });

    expect(echo.events).toMatchObject([
      { eventId: id, isEcho: true, text: 'Hello', to: { id: ada.id } },
    ]);
    expect(echo.events[0]).not.toHaveProperty('echoTag');
    expect(comment.events).toMatchObject([{ isEcho: true, from: { id: 'ig-1' } }]);
  });

  test('a batch returns all known events and skips the rest', () => {
    const value = { id: 'c', text: 'Hi', from: { id: '9', username: 'bob' }, parent_id: 'c0' };
    const message = { sender: { id: '9' }, recipient: { id: 'ig-1' }, timestamp: 1 };
    const body = {
      object: 'instagram',
      entry: [
        {
          id: 'ig-1',
          time: 1_700_000_000,
          changes: [
            { field: 'comments', value },
            { field: 'mentions', value: { media_id: '1', comment_id: '2' } },
            { field: 'messages', value: { ...message, message: { mid: 'm4', text: 'Hi' } } },
            { field: 'comments', value: { id: 'no author' } },
          ],
          messaging: [
            { ...message, message: { mid: 'm1', text: 'gone', is_deleted: true } },
            { ...message, message: { mid: 'm2', text: 'here' } },
            { ...message, message: { mid: 'm3', attachments: [{ type: 'story_mention' }] } },
            { ...message, reaction: { mid: 'm2', action: 'react' } },
          ],
        },
      ],
    };

    expect(instagram.parseEvents(Buffer.from(JSON.stringify(body)))).toMatchObject([
      { eventId: 'm1-withdraw', type: 'message', action: 'withdraw', messageId: 'm1' },
      { eventId: 'm2', type: 'message' },
      {
        eventId: 'm3',
        type: 'message',
        channel: 'DIRECT_MESSAGE',
        attachments: [{ kind: 'STORY' }],
      },
      { eventId: 'c', parentId: 'c0', occurredAt: '2023-11-14T22:13:20.000Z' },
      { eventId: 'm4', type: 'message', text: 'Hi' },
    ]);
    expect(() => instagram.parseEvents(Buffer.from('{"object":"page","entry":[]}'))).toThrow(
      SyntaxError,
    );
  });

  test('an edit without a text, or with the number 0, names a message to fetch', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const announced = await eventsOf({ type: 'message', text: 'Hi', action: 'announce' });
    const anonymous = await eventsOf({
      type: 'message',
      text: 'Hello',
      action: 'announce',
      isAnonymous: true,
    });
    const { eventId: mid } = anonymous.sent;
    const edits = [
      { mid, num_edit: 2 },
      { mid, text: 'Hi', num_edit: 0 },
      { mid, text: null },
    ].map((edit) => ({ sender: { id: ada.id }, message_edit: edit }));
    const body = { object: 'instagram', entry: [{ id: 'ig-1', messaging: edits }] };
    const events = instagram.parseEvents(Buffer.from(JSON.stringify(body)));

    for (const event of [...announced.events, ...anonymous.events, ...events]) {
      expect(event).toMatchObject({ isIncomplete: true, text: '' });
      expect(event).not.toHaveProperty('action');
    }
    expect(anonymous.events).toMatchObject([{ messageId: mid, from: { id: '' } }]);
    const complete = (event: NormalisedEvent | undefined) =>
      instagram.completeEvent?.(credentials, event as NormalisedEvent);
    expect(await complete(announced.events[0])).toMatchObject({ from: { id: ada.id }, text: 'Hi' });
    expect(await complete(anonymous.events[0])).toEqual({
      ...anonymous.events[0],
      isIncomplete: undefined,
      eventId: mid,
      from: ada,
      text: 'Hello',
      occurredAt: expect.stringMatching(/Z$/),
    });
  });

  test('a message that cannot be fetched is undefined', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const { events } = await eventsOf({ type: 'message', text: 'Hi', action: 'announce' });
    const [event] = events as [NormalisedEvent];

    expect(
      await instagram.completeEvent?.(credentials, { ...event, messageId: 'gone' }),
    ).toBeUndefined();
  });

  test('a message of the account itself that is fetched is an echo', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const { events } = await eventsOf({
      type: 'message',
      text: 'Ours',
      action: 'announce',
      isAnonymous: true,
      echo: true,
    });

    expect(
      await instagram.completeEvent?.(credentials, events[0] as NormalisedEvent),
    ).toMatchObject({ isEcho: true, from: { id: 'ig-1' }, to: { id: ada.id }, text: 'Ours' });
  });

  test('shares, reels and unknown files are links to the network', async () => {
    const { events } = await eventsOf({
      type: 'message',
      text: '',
      attachments: [
        { kind: 'storyMention', url: 'https://cdn.example.com/1' },
        { kind: 'share', url: 'https://cdn.example.com/2' },
        { kind: 'reel', url: 'https://cdn.example.com/3' },
      ],
    });

    expect(events).toMatchObject([
      {
        type: 'message',
        channel: 'DIRECT_MESSAGE',
        attachments: [
          { kind: 'STORY', url: 'https://cdn.example.com/1' },
          { kind: 'OTHER', url: 'https://cdn.example.com/2' },
          { kind: 'OTHER', url: 'https://cdn.example.com/3' },
        ],
      },
    ]);
  });

  test('the sandbox rejects mention events, because Instagram sends them without text', async () => {
    await expect(
      network.sendEvent({ userId: 'ig-1', type: 'mention', text: '@us', from: ada }),
    ).rejects.toThrow('400');
  });
});

describe('comments that Instagram did not push', () => {
  const sixMinutesMs = 6 * 60_000;

  async function commented(text: string, more: object = {}) {
    const event = { userId: 'ig-1', type: 'comment', from: ada, text, deliveries: 0 } as const;

    return network.sendEvent({ ...event, ...more });
  }

  test('fetchComments returns them like pushed events, with replies, oldest first', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    await publish(credentials);
    const [post] = await network.posts('ig-1');
    const first = await commented('First');
    await instagram.replyToComment(credentials, { commentId: first.eventId, text: 'Our answer' });
    await commented('Own words', { echo: true });
    await commented('Second');
    setClock(() => Date.now() + sixMinutesMs);
    const found = await instagram.fetchComments(credentials, now(-60_000));

    expect(found.map(({ text }) => text)).toEqual(['First', 'Second']);
    const [pushed] = instagram.parseEvents(received(first).rawBody);
    expect(found[0]).toEqual({ ...pushed, occurredAt: found[0]?.occurredAt });
    expect(found[0]).toMatchObject({ platformPostId: post?.id, eventId: first.eventId });
  });

  test('a reply of a customer has the parent, and an unnamed author is left out', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    await publish(credentials);
    await commented('First');
    const timestamp = '2026-01-01T00:00:00+0000';
    const replies = { data: [{ id: '8', text: 'Reply', timestamp, from: { id: '5' } }] };
    await sandbox.addFault({
      service: 'instagram',
      path: '/comments$',
      mode: 'error',
      status: 200,
      body: { data: [{ id: '7', text: 'Unnamed', timestamp, replies }] },
    });

    expect(await instagram.fetchComments(credentials, '2025-12-31T00:00:00Z')).toMatchObject([
      { eventId: '8', parentId: '7', occurredAt: '2026-01-01T00:00:00.000Z' },
    ]);
  });

  test('comments of the last minutes and older ones are left out', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    await publish(credentials);
    await commented('First');

    expect(await instagram.fetchComments(credentials, now(-60_000))).toEqual([]);
    setClock(() => Date.now() + sixMinutesMs);
    expect(await instagram.fetchComments(credentials, now(60_000))).toEqual([]);
    expect(await instagram.fetchComments(credentials, now(-60_000))).toHaveLength(1);
  });

  test('media without comments cost no call, and further pages are read while they are new', async () => {
    const credentials = await connect('INSTAGRAM', 'ig-1');
    await publish(credentials);
    for (let count = 0; count < 60; count += 1) {
      await commented(`Comment ${count}`);
    }
    await publish(credentials);
    setClock(() => Date.now() + sixMinutesMs);
    let calls = 0;
    const count = async () => {
      calls += 1;
    };

    expect(await instagram.fetchComments(credentials, now(-60_000), count)).toHaveLength(60);
    expect(calls).toBe(3);
    await instagram.fetchComments(credentials, now(60_000), count);
    expect(calls).toBe(5);
  });
});
