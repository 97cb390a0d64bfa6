import { beforeEach, describe, expect, test } from 'vitest';
import { networkOf } from '#tests/support/networks.ts';
import { callsOf, connect, failureOf, pass, received, sandbox, useSandbox } from './setup.ts';

useSandbox();

const facebook = networkOf('FACEBOOK');
const network = sandbox.network('FACEBOOK');
const ada = { id: 'customer-1', name: 'Ada' };
const version = '/v25.0';

function text(content: string, mediaUrls: readonly string[] = []) {
  return { text: content, mediaUrls };
}

async function publish(
  credentials: Awaited<ReturnType<typeof connect>>,
  publication = text('Hello'),
) {
  const { handle } = await facebook.prepare(credentials, publication);

  return facebook.commit(credentials, publication, handle);
}

describe('page tokens', () => {
  test('validateToken returns the page, the scopes, and the expiry', async () => {
    const credentials = await connect('FACEBOOK', 'page-1', ['pages_messaging']);
    expect(await facebook.validateToken(credentials)).toEqual({
      platformUserIds: ['page-1'],
      scopes: ['pages_messaging'],
      grantedById: 'person-of-page-1',
    });
    const { accessToken } = await network.issueTokens({ userId: 'page-1', expiresIn: 3_600 });
    const { expiresAt } = await facebook.validateToken({ ...credentials, accessToken });
    expect(Date.parse(String(expiresAt)) - Date.now()).toBeGreaterThan(3_500_000);
  });

  test('a token of another app is invalid', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    await sandbox.addFault({
      service: 'facebook',
      mode: 'error',
      status: 200,
      body: { data: { app_id: 'another', is_valid: true, profile_id: 'page-1' } },
    });

    expect(await failureOf(facebook.validateToken(credentials))).toMatchObject({
      kind: 'tokenInvalid',
    });
  });
});

describe('pages and metrics', () => {
  test('listPages returns only the page for a page token, and all pages for a user token', async () => {
    const page = await connect('FACEBOOK', 'page-1');
    await network.setAccount('page-1', { name: 'Bakery', followers: 42 });
    expect(await facebook.listPages(page)).toMatchObject([
      { platformPageId: 'page-1', name: 'Bakery', followersCount: 42, isActive: true },
    ]);

    const pages = ['a', 'b', 'c'].map((id) => ({ id, name: `Page ${id}` }));
    const { accessToken } = await network.issueTokens({ userId: 'person', pages });
    const listed = await facebook.listPages({ platformUserId: 'person', accessToken });
    expect(listed.map(({ platformPageId }) => platformPageId)).toEqual(['a', 'b', 'c']);
  });

  test('an unknown metric does not affect the other ones', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    await publish(credentials);
    const [post] = await network.posts('page-1');
    const id = String(post?.id);
    await network.setMetrics(id, { clicks: 2, impressions: 120 });
    await sandbox.addFault({
      service: 'facebook',
      path: '/insights$',
      mode: 'error',
      status: 400,
      body: { error: { code: 100, message: 'The value must be a valid insights metric' } },
      times: 1,
    });

    expect(await facebook.fetchPostMetrics(credentials, [id])).toMatchObject([
      { clicks: 2, impressions: null },
    ]);
  });
});

describe('publishing', () => {
  test('a text post is one call, with appsecret_proof and the token in a header', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    const outcome = await publish(credentials);
    const [post] = await network.posts('page-1');
    const [call] = await sandbox.requests({ service: 'facebook' });

    expect(outcome).toEqual({ state: 'published', platformPostId: post?.id, url: post?.url });
    expect(await callsOf('FACEBOOK')).toEqual([`POST ${version}/page-1/feed`]);
    expect(call?.headers.authorization).toBe(`Bearer ${credentials.accessToken}`);
    expect(call?.query.appsecret_proof).toMatch(/^[0-9a-f]{64}$/);
  });

  test('photos are uploaded unpublished, and uploaded ones are reused', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    const urls = ['https://example.com/1.jpg', 'https://example.com/2.png'];
    const publication = text('Look', urls);
    const first = await facebook.prepare(credentials, publication);
    expect(await network.posts('page-1')).toEqual([]);

    const again = await facebook.prepare(credentials, publication, first.handle);
    expect(again).toEqual({ state: 'ready', handle: first.handle });
    await facebook.commit(credentials, publication, again.handle);
    expect(await network.posts('page-1')).toMatchObject([{ text: 'Look', media: urls }]);
    expect(await callsOf('FACEBOOK')).toEqual([
      `POST ${version}/page-1/photos`,
      `POST ${version}/page-1/photos`,
      `POST ${version}/page-1/feed`,
    ]);
  });

  test('a video is published after processing', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    const publication = text('Film', ['https://example.com/1.mp4']);
    const outcome = await publish(credentials, publication);
    const handle = outcome.state === 'processing' ? outcome.handle : {};
    const probe = () => facebook.probe(credentials, publication, handle, new Date().toISOString());

    expect(outcome.state).toBe('processing');
    expect(await probe()).toMatchObject({ state: 'processing' });
    expect(await probe()).toMatchObject({ state: 'published' });
    const [post] = await network.posts('page-1');
    expect(await probe()).toMatchObject({ state: 'published', platformPostId: post?.id });
    expect(post).toMatchObject({ text: 'Film', media: ['https://example.com/1.mp4'] });
  });

  test.each([
    ['77', 'page-1_77'],
    ['page-1_77', 'page-1_77'],
  ])(
    'the post of a video is found by the post id %s, never by the id of the video',
    async (post_id, id) => {
      const credentials = await connect('FACEBOOK', 'page-1');
      const publication = text('Film', ['https://example.com/1.mp4']);
      const outcome = await publish(credentials, publication);
      const handle = outcome.state === 'processing' ? outcome.handle : {};
      const probeWith = async (more: object) => {
        const body = { status: { video_status: 'ready' }, ...more };
        const fault = { service: 'facebook', method: 'GET', mode: 'error', times: 1 } as const;
        await sandbox.addFault({ ...fault, status: 200, body });

        return facebook.probe(credentials, publication, handle, new Date().toISOString());
      };

      expect(await probeWith({})).toMatchObject({ state: 'processing' });
      expect(await probeWith({ post_id })).toMatchObject({
        state: 'published',
        platformPostId: id,
      });
    },
  );

  test('a video that Facebook cannot process fails', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    const publication = text('Film', ['https://example.com/1.mp4']);
    const outcome = await publish(credentials, publication);
    const handle = outcome.state === 'processing' ? outcome.handle : {};
    await sandbox.addFault({
      service: 'facebook',
      method: 'GET',
      mode: 'error',
      status: 200,
      body: { status: { video_status: 'error' } },
    });

    expect(
      await facebook.probe(credentials, publication, handle, new Date().toISOString()),
    ).toEqual({ state: 'failed', reason: 'The video ended with status error' });
  });

  test('a video together with photos is rejected without a call', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    const mixed = text('Both', ['https://example.com/1.mp4', 'https://example.com/2.jpg']);

    expect(await failureOf(facebook.prepare(credentials, mixed))).toMatchObject({
      kind: 'refused',
    });
    expect(await callsOf('FACEBOOK')).toEqual([]);
  });

  test('a post without a response is not retried, and is found later by text and time', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    await publish(credentials, text('Same words'));
    pass(60_000);
    const since = new Date(Date.now() + 60_000).toISOString();
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'hang-after', times: 1 });

    expect(await failureOf(publish(credentials, text('Same  words ')))).toMatchObject({
      kind: 'outcomeUnknown',
    });
    const [newest] = await network.posts('page-1');
    expect(await network.posts('page-1')).toHaveLength(2);
    expect(await facebook.probe(credentials, text('Same words'), {}, since)).toEqual({
      state: 'published',
      platformPostId: newest?.id,
      url: newest?.url,
    });
  });

  test('a missing post results in an unknown outcome', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    await publish(credentials, text('Other words'));
    await publish(credentials, text('Words'));
    const later = new Date(Date.now() + 60_000).toISOString();

    expect(await facebook.probe(credentials, text('Words'), {}, later)).toEqual({
      state: 'unknown',
    });
  });

  test('an earlier post with the same text is not mistaken for the lost one', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    const created_time = '2026-01-01T00:00:00+0000';
    await sandbox.addFault({
      service: 'facebook',
      mode: 'error',
      status: 200,
      body: { data: [{ id: 'page-1_1', message: 'Words', created_time }] },
    });
    const probe = (since: string) => facebook.probe(credentials, text('Words'), {}, since);

    expect(await probe('2026-01-01T00:00:10Z')).toEqual({ state: 'unknown' });
    expect(await probe('2026-01-01T00:00:00Z')).toMatchObject({ platformPostId: 'page-1_1' });
  });

  describe('when Facebook does not say why it does not delete a post', () => {
    beforeEach(async () => {
      await sandbox.addFault({
        service: 'facebook',
        method: 'DELETE',
        mode: 'error',
        status: 400,
        body: { error: { code: 100, error_subcode: 33, message: 'Unsupported delete request' } },
      });
    });

    test('a post that still exists is a rejection, not a missing post', async () => {
      const credentials = await connect('FACEBOOK', 'page-1');
      await publish(credentials);
      const [post] = await network.posts('page-1');

      expect(await failureOf(facebook.deletePost(credentials, String(post?.id)))).toMatchObject({
        kind: 'refused',
        message: 'Facebook does not allow deleting this post through its API',
      });
    });

    test('a token that cannot read posts results in scopeMissing, not in a missing post', async () => {
      const credentials = await connect('FACEBOOK', 'page-1', ['pages_manage_posts']);

      expect(await failureOf(facebook.deletePost(credentials, 'page-1_5'))).toMatchObject({
        kind: 'scopeMissing',
      });
    });

    test('a post that the token could read if it existed is missing', async () => {
      const credentials = await connect('FACEBOOK', 'page-1');

      expect(await failureOf(facebook.deletePost(credentials, 'page-1_5'))).toMatchObject({
        kind: 'notFound',
      });
    });

    test('an outage during verification does not count as a deletion', async () => {
      const credentials = await connect('FACEBOOK', 'page-1');
      await sandbox.addFault({ service: 'facebook', method: 'GET', mode: 'error', status: 503 });

      expect(await failureOf(facebook.deletePost(credentials, 'page-1_5'))).toMatchObject({
        kind: 'unavailable',
      });
    });
  });
});

describe('failures', () => {
  function graphError(status: number, error: Readonly<Record<string, unknown>>, headers = {}) {
    return sandbox.addFault({
      service: 'facebook',
      mode: 'error',
      status,
      headers,
      body: { error },
    });
  }

  test.each([
    [401, { code: 190, error_subcode: 463 }, 'tokenInvalid'],
    [400, { code: 10 }, 'scopeMissing'],
    [403, { code: 200 }, 'scopeMissing'],
    [400, { code: 10, error_subcode: 2_018_278 }, 'refused'],
    [400, { code: 551 }, 'refused'],
    [400, { code: 100 }, 'refused'],
    [400, { code: 4 }, 'rateLimited'],
    [400, { code: 17 }, 'rateLimited'],
    [400, { code: 32 }, 'rateLimited'],
    [400, { code: 613 }, 'rateLimited'],
    [400, { code: 80_001 }, 'rateLimited'],
    [500, { code: 2, is_transient: true }, 'outcomeUnknown'],
    [400, { code: 1 }, 'outcomeUnknown'],
    [503, { code: 2, is_transient: true }, 'unavailable'],
  ])('publishing maps status %i with %o to %s', async (status, error, kind) => {
    const credentials = await connect('FACEBOOK', 'page-1');
    await graphError(status, { message: 'No', ...error });

    expect(await failureOf(publish(credentials))).toMatchObject({ kind, message: 'No' });
    expect(await callsOf('FACEBOOK')).toHaveLength(1);
  });

  test('a missing account is unavailable, because Meta sometimes reports it by mistake', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    await graphError(400, { code: 100, error_subcode: 33, message: 'No such object' });

    expect(await failureOf(publish(credentials))).toMatchObject({ kind: 'unavailable' });
  });

  test('a rate limit error has the wait time that the network announces', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    await graphError(
      400,
      { code: 80_001, message: 'Too many' },
      {
        'x-business-use-case-usage': JSON.stringify({
          'page-1': [{ type: 'pages', estimated_time_to_regain_access: 7 }],
        }),
      },
    );

    expect(await failureOf(publish(credentials))).toMatchObject({ retryAfterMs: 7 * 60_000 });
  });

  test('an upload without a response is unavailable, because nothing was published', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'refuse' });

    expect(
      await failureOf(facebook.prepare(credentials, text('Look', ['https://example.com/1.jpg']))),
    ).toMatchObject({ kind: 'unavailable' });
  });
});

describe('the webhook callback', () => {
  test('a page is subscribed to its event fields, and unsubscribed', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    await facebook.subscribe(credentials, 'https://example.com/webhooks/facebook');
    expect(await network.subscriptions()).toMatchObject([
      {
        userId: 'page-1',
        fields: [
          'feed',
          'messages',
          'message_edits',
          'messaging_postbacks',
          'message_echoes',
          'mention',
          'leadgen',
        ],
      },
    ]);
    await facebook.unsubscribe(credentials);
    expect(await network.subscriptions()).toEqual([]);
  });

  test.each([
    [
      {
        'hub.mode': 'subscribe',
        'hub.challenge': '42',
        'hub.verify_token': 'sandbox-facebook-verify',
      },
      200,
      '42',
    ],
    [
      { 'hub.mode': 'subscribe', 'hub.challenge': '42', 'hub.verify_token': 'wrong' },
      403,
      'Forbidden',
    ],
    [
      { 'hub.mode': 'other', 'hub.challenge': '42', 'hub.verify_token': 'sandbox-facebook-verify' },
      403,
      'Forbidden',
    ],
  ])('the handshake %o returns %i', async (query, status, body) => {
    expect(await facebook.answerChallenge(query)).toEqual({
      status,
      body,
      contentType: 'text/plain; charset=utf-8',
    });
  });

  test('an incomplete handshake returns 400, and other calls are not handshakes', async () => {
    expect(await facebook.answerChallenge({ 'hub.mode': 'subscribe' })).toMatchObject({
      status: 400,
    });
    expect(await facebook.answerChallenge({ page: '1' })).toBeUndefined();
  });

  test('a signature is valid only for the exact bytes', async () => {
    const sent = await network.sendEvent({
      userId: 'page-1',
      type: 'message',
      text: 'Grüße',
      from: ada,
      deliveries: 0,
    });
    const { rawBody, headers } = received(sent);
    const signature = String(headers['x-hub-signature-256']);

    expect(await facebook.verifySignature(rawBody, headers)).toBe(true);
    expect(
      await facebook.verifySignature(Buffer.concat([rawBody, Buffer.from(' ')]), headers),
    ).toBe(false);
    for (const wrong of [
      undefined,
      '',
      'sha256=',
      `sha1=${signature.slice(7)}`,
      signature.slice(0, -2),
      `sha256=${'0'.repeat(64)}`,
    ]) {
      expect(await facebook.verifySignature(rawBody, { 'x-hub-signature-256': wrong })).toBe(false);
    }
  });
});

describe('events', () => {
  async function eventsOf(
    event: Omit<Parameters<typeof network.sendEvent>[0], 'userId' | 'from' | 'deliveries'>,
  ) {
    const sent = await network.sendEvent({ userId: 'page-1', from: ada, deliveries: 0, ...event });

    return { sent, events: facebook.parseEvents(received(sent).rawBody) };
  }

  test('a message event has the customer id', async () => {
    const { sent, events } = await eventsOf({ type: 'message', text: 'Hi' });

    expect(events).toEqual([
      {
        eventId: sent.eventId,
        platformUserId: 'page-1',
        type: 'message',
        channel: 'DIRECT_MESSAGE',
        from: { id: 'customer-1', name: '' },
        to: undefined,
        text: 'Hi',
        messageId: sent.eventId,
        isEcho: false,
        occurredAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
  });

  test('a comment event has the author, the post, and its own id', async () => {
    const { sent, events } = await eventsOf({
      type: 'comment',
      text: 'How much?',
      postId: 'page-1_7',
    });

    expect(events).toMatchObject([
      {
        eventId: sent.eventId,
        type: 'comment',
        channel: 'COMMENT',
        from: ada,
        text: 'How much?',
        messageId: sent.eventId,
        platformPostId: 'page-1_7',
        isEcho: false,
      },
    ]);
    expect(events[0]).not.toHaveProperty('parentId');
  });

  test('a mention has the channel COMMENT in a comment and POST in a post', async () => {
    const inComment = await eventsOf({ type: 'mention', text: '@Bakery', postId: '5_7' });
    const inPost = await eventsOf({ type: 'mention', text: '@Bakery' });

    expect(inComment.events).toMatchObject([
      { type: 'mention', channel: 'COMMENT', platformPostId: '5_7', from: ada },
    ]);
    expect(inPost.events).toMatchObject([{ type: 'mention', channel: 'POST', from: ada }]);
  });

  test('messages of the page itself are echoes, with a tag if the service sent them', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    await eventsOf({ type: 'message', text: 'Hi' });
    const { id } = await facebook.sendDirectMessage(credentials, {
      to: ada.id,
      text: 'Hello',
      echoTag: 'tag-1',
    });

    const ours = await eventsOf({ type: 'message', text: 'ignored', echo: true, eventId: id });
    const human = await eventsOf({ type: 'message', text: 'From my phone', echo: true });
    const comment = await eventsOf({ type: 'comment', text: 'Thanks', echo: true });
    expect(ours.events).toMatchObject([
      { eventId: id, isEcho: true, echoTag: 'tag-1', text: 'Hello', to: { id: ada.id } },
    ]);
    expect(human.events).toMatchObject([
      { isEcho: true, text: 'From my phone', to: { id: ada.id } },
    ]);
    expect(human.events[0]).not.toHaveProperty('echoTag');
    expect(comment.events).toMatchObject([
      { isEcho: true, type: 'comment', from: { id: 'page-1' } },
    ]);
  });

  test('a batch returns all known events and skips the rest', () => {
    const from = { id: '9', name: 'Bob' };
    const comment = {
      item: 'comment',
      verb: 'add',
      post_id: 'p',
      comment_id: 'c',
      parent_id: 'c0',
      from,
      message: 'Hi',
      created_time: 1_700_000_000,
    };
    const body = {
      object: 'page',
      entry: [
        {
          id: 'page-1',
          time: 1,
          messaging: [
            {
              sender: { id: '9' },
              recipient: { id: 'page-1' },
              timestamp: 1_700_000_000_000,
              postback: { mid: 'm1', title: 'Prices' },
            },
            { sender: { id: '9' }, recipient: { id: 'page-1' }, timestamp: 1, read: {} },
            {
              sender: { id: '9' },
              recipient: { id: 'page-1' },
              timestamp: 1,
              message: { mid: 'm2', attachments: [] },
            },
            {
              sender: { id: 'page-1' },
              recipient: { id: '9' },
              timestamp: 1,
              message: { mid: 'm3', text: 'ours' },
            },
          ],
        },
        {
          id: 'page-2',
          time: 1,
          changes: [
            { field: 'feed', value: comment },
            { field: 'feed', value: { ...comment, comment_id: 'c2', verb: 'edited' } },
            { field: 'feed', value: { ...comment, comment_id: 'c3', from: undefined } },
            { field: 'feed', value: { ...comment, item: 'status', comment_id: undefined } },
            { field: 'feed', value: { ...comment, item: 'reaction' } },
            { field: 'leadgen', value: {} },
            'nonsense',
          ],
        },
      ],
    };

    expect(facebook.parseEvents(Buffer.from(JSON.stringify(body)))).toMatchObject([
      { eventId: 'm1', text: 'Prices', occurredAt: '2023-11-14T22:13:20.000Z' },
      { eventId: 'm2', text: '', isEcho: false },
      { eventId: 'm3', isEcho: true, to: { id: '9' } },
      {
        eventId: 'c',
        platformUserId: 'page-2',
        parentId: 'c0',
        occurredAt: '2023-11-14T22:13:20.000Z',
      },
      { messageId: 'c2', action: 'edit', text: 'Hi' },
      { eventId: 'p', type: 'post', channel: 'POST' },
    ]);
  });

  test('edits and removals of comments, posts and mentions name what they change', () => {
    const from = { id: '9', name: 'Bob' };
    const post = { item: 'status', post_id: 'p', from };
    const mention = { item: 'post', post_id: 'q', sender_id: '9', sender_name: 'Bob' };
    const changes = [
      { field: 'feed', value: { item: 'comment', verb: 'remove', post_id: 'p', comment_id: 'c' } },
      { field: 'feed', value: { ...post, verb: 'edited', message: 'One' } },
      { field: 'feed', value: { ...post, verb: 'edited', message: 'Two' } },
      { field: 'feed', value: { ...post, verb: 'remove' } },
      { field: 'feed', value: { ...post, verb: 'edited', from: { id: 'page-1' } } },
      { field: 'mention', value: { ...mention, verb: 'remove' } },
    ];
    const body = { object: 'page', entry: [{ id: 'page-1', time: 1_700_000_000, changes }] };
    const events = facebook.parseEvents(Buffer.from(JSON.stringify(body)));

    expect(events).toMatchObject([
      { messageId: 'c', action: 'withdraw', type: 'comment' },
      { messageId: 'p', action: 'edit', text: 'One', type: 'post' },
      { messageId: 'p', action: 'edit', text: 'Two', type: 'post' },
      { messageId: 'p', action: 'withdraw' },
      { messageId: 'q', action: 'withdraw', type: 'mention' },
    ]);
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
  });

  test.each(['', 'no json', '[]', '{"object":"instagram","entry":[]}', '{"object":"page"}'])(
    'parseEvents throws a SyntaxError for the body %s',
    (body) => {
      expect(() => facebook.parseEvents(Buffer.from(body))).toThrow(SyntaxError);
    },
  );
});

describe('replies', () => {
  test('a direct message to somebody who never wrote is rejected', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');

    expect(
      await failureOf(
        facebook.sendDirectMessage(credentials, { to: 'nobody', text: 'Hi', echoTag: 't' }),
      ),
    ).toMatchObject({ kind: 'refused' });
  });
});
