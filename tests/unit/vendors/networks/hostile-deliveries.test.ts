import * as fc from 'fast-check';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { logger } from '#lib/platform/log/logger.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import type { Platform } from '#schemas/platforms.ts';
import { networkOf } from '#tests/support/networks.ts';

const urn = fc.oneof(fc.constant('urn:li:organization:1'), fc.string());
const anything = fc.oneof(fc.anything(), fc.double(), fc.string(), fc.constant(null));
const notification = fc.record(
  {
    notificationId: fc.oneof(fc.integer(), anything),
    organizationalEntity: urn,
    action: fc.constantFrom('COMMENT', 'ADMIN_COMMENT', 'SHARE_MENTION', 'LIKE'),
    generatedActivity: fc.oneof(fc.string(), anything),
    decoratedGeneratedActivity: fc.oneof(
      fc.record({ comment: fc.record({ owner: urn, text: fc.string(), entity: fc.string() }) }),
      anything,
    ),
    lastModifiedAt: fc.oneof(fc.double({ noNaN: true }), fc.integer()),
  },
  { requiredKeys: ['organizationalEntity', 'action'] },
);
const element = fc.constantFrom(
  '<feed>',
  '<entry>',
  '</entry>',
  '<yt:videoId>',
  '</yt:videoId>',
  '<yt:channelId>',
  '</yt:channelId>',
  '<updated>',
  '</updated>',
  '2026-01-01T00:00:00Z',
  '&#xFFFFFF;',
  '&#xD800;',
  '&amp;',
  'x',
);

const logged = vi.spyOn(logger, 'error').mockReturnValue();
beforeEach(() => {
  logged.mockClear();
});
afterAll(() => logged.mockRestore());

/** Returns the parsed events, or none if parsing throws a SyntaxError. */
function eventsOf(platform: Platform, body: string) {
  try {
    return networkOf(platform).parseEvents(Buffer.from(body));
  } catch (failure) {
    expect(failure).toBeInstanceOf(SyntaxError);

    return [];
  }
}

test('LinkedIn deliveries are parsed into complete events or rejected', () => {
  fc.assert(
    fc.property(fc.array(notification, { maxLength: 5 }), (notifications) => {
      for (const event of eventsOf('LINKEDIN', JSON.stringify({ notifications }))) {
        expect(event.from.id).not.toBe('');
        expect(event.messageId).not.toBe('');
        expect(event.occurredAt).toMatch(/Z$/);
      }
    }),
  );
  fc.assert(fc.property(fc.string(), (body) => void eventsOf('LINKEDIN', body)));
});

test('YouTube hub deliveries are parsed into complete events or rejected', () => {
  const bodies = fc.array(element, { maxLength: 30 }).map((parts) => `<feed>${parts.join('')}`);
  fc.assert(
    fc.property(fc.oneof(bodies, fc.string()), (body) => {
      for (const event of eventsOf('YOUTUBE', body)) {
        expect(event.platformUserId).not.toBe('');
        expect(event.text.isWellFormed()).toBe(true);
      }
    }),
  );
});

const moments = [0, -1, 1_784_928_224, 8.64e15, 8.65e15, 1e300, '2026-01-01', '1784928224372', ''];
const time = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...moments) }, fc.double(), anything);
const text = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('1', '2', '') },
  fc.string(),
  anything,
);
const tiktokContent = fc.record(
  {
    publish_id: text,
    post_id: fc.oneof(fc.bigInt().map(Number), text),
    message_id: text,
    conversation_id: text,
    text: fc.oneof(fc.record({ body: text }), text),
    comment_id: text,
    video_id: text,
    comment_action: fc.constantFrom('insert', 'delete'),
    unique_identifier: text,
    timestamp: time,
  },
  { requiredKeys: ['comment_action'] },
);
const tiktokDelivery = fc.record({
  event: fc.constantFrom(
    'im_receive_msg',
    'im_send_msg',
    'comment.update',
    'post.publish.complete',
    'authorization.removed',
    'constructor',
    '__proto__',
  ),
  create_time: time,
  user_openid: fc.constantFrom('open-1', ''),
  content: fc.oneof({ weight: 4, arbitrary: tiktokContent.map(asJson) }, fc.string()),
});
const twitterPost = fc.record(
  {
    id: text,
    text: fc.string(),
    author_id: text,
    created_at: time,
    referenced_tweets: fc.array(fc.record({ type: fc.constant('replied_to'), id: text })),
    entities: fc.record({ urls: fc.array(fc.record({ url: fc.string(), expanded_url: text })) }),
    direct_message_events: fc.array(
      fc.record({
        id: text,
        created_timestamp: time,
        message_create: fc.record({
          sender_id: text,
          target: fc.record({ recipient_id: text }),
          message_data: fc.record({ text }),
        }),
      }),
    ),
    user_id: text,
    date_time: time,
  },
  { requiredKeys: ['text'] },
);
const twitterDelivery = fc.record({
  data: fc.record({
    event_uuid: fc.string(),
    event_type: fc.constantFrom(
      'dm.received',
      'post.create',
      'post.mention.create',
      'oauth.revoke',
    ),
    filter: fc.record({ user_id: text }, { requiredKeys: [] }),
    payload: fc.oneof(twitterPost, anything),
    includes: anything,
  }),
});

/** Serializes any value as JSON, with bigints as text. */
function asJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? String(part) : part));
}

/** TikTok's comments may lack their author. `completeEvent` fetches the author. */
function hasAuthor({ from, platform, type }: NormalisedEvent & { platform: Platform }): boolean {
  return from.id !== '' || (platform === 'TIKTOK' && type === 'comment');
}

test.each([
  ['TIKTOK', tiktokDelivery],
  ['TWITTER', twitterDelivery],
] as const)('%s deliveries are parsed into complete events or rejected', (platform, delivery) => {
  fc.assert(
    fc.property(
      fc.oneof(fc.anything(), { weight: 9, arbitrary: delivery as fc.Arbitrary<unknown> }),
      (sent) => {
        for (const event of eventsOf(platform, asJson(sent) ?? '')) {
          expect(event.platformUserId).not.toBe('');
          expect(event.messageId).not.toBe('');
          expect(hasAuthor({ ...event, platform })).toBe(true);
          expect(event.occurredAt).toMatch(/Z$/);
        }
      },
    ),
    { numRuns: 600 },
  );
});

const secretWords = 'SECRET-WORDS';
/** Invalid parts of deliveries, some with a customer's text in them. */
const junk = fc.constantFrom<unknown>(
  null,
  42,
  'text',
  [],
  { message: { text: secretWords } },
  { message: 'hello' },
  { message_edit: { num_edit: 1 } },
  { field: 7 },
  { field: 'feed', value: secretWords },
  { field: 'leadgen', value: { leadgen_id: null } },
  { field: 'comments', value: { id: {}, text: secretWords } },
);
const rounds = fc.array(junk, { maxLength: 4 });

/** The log and the metric contain the place, but not the text. */
function expectReported(): void {
  expect(logged).toHaveBeenCalledWith(
    expect.any(String),
    expect.objectContaining({ UnreadableEvent: 1, where: expect.anything() }),
  );
  expect(JSON.stringify(logged.mock.calls)).not.toContain(secretWords);
}

test.each([
  ['FACEBOOK', 'page', 'feed'],
  ['INSTAGRAM', 'instagram', 'comments'],
] as const)(
  '%s: a part that cannot be read is skipped, and the rest is processed',
  (platform, object, field) => {
    const comment = {
      id: 'c',
      item: 'comment',
      verb: 'add',
      post_id: 'p',
      comment_id: 'c',
      from: { id: '9' },
    };
    const said = { sender: { id: '9' }, message: { mid: 'm', text: 'Hi' } };
    fc.assert(
      fc.property(rounds, rounds, rounds, (inMessages, inChanges, inEntries) => {
        const messaging = [...inMessages, said, ...inMessages];
        const changes = [...inChanges, { field, value: comment }, ...inChanges];
        const entry = [...inEntries, { id: 'account', messaging, changes }, ...inEntries];

        const events = eventsOf(platform, JSON.stringify({ object, entry }));

        expect(events).toMatchObject([{ messageId: 'm' }, { messageId: 'c' }]);
      }),
      { numRuns: 50 },
    );
    eventsOf(platform, JSON.stringify({ object, entry: [{ id: 'account', messaging: [null] }] }));
    expectReported();
  },
);

test('LinkedIn: a notification that cannot be read is skipped, and the rest is processed', () => {
  const written = { owner: 'urn:li:person:1', entity: 'urn:li:comment:(a,1)', text: 'Hi' };
  const good = {
    notificationId: 1,
    organizationalEntity: 'urn:li:organization:1',
    action: 'COMMENT',
    decoratedGeneratedActivity: { comment: written },
  };
  const notifications = [null, { action: 'COMMENT', text: secretWords }, good, 42];

  expect(eventsOf('LINKEDIN', JSON.stringify({ notifications }))).toMatchObject([{ text: 'Hi' }]);
  expectReported();
});

test.each([
  ['TIKTOK', { event: 'im_receive_msg', user_openid: 'o', content: `{"text":"${secretWords}"}` }],
  ['TIKTOK', { event: 'comment.update', user_openid: 'o', content: `{ ${secretWords}` }],
  ['TIKTOK', { event: 'comment.update', content: '{}' }],
  [
    'TWITTER',
    {
      data: {
        event_type: 'dm.received',
        payload: { direct_message_events: [{ id: 1, text: secretWords }] },
      },
    },
  ],
  [
    'TWITTER',
    { data: { event_type: 'post.mention.create', filter: { user_id: 1 }, payload: secretWords } },
  ],
] as const)('%s: an event that cannot be read is accepted and reported', (platform, sent) => {
  const { parseEvents } = networkOf(platform);

  expect(parseEvents(Buffer.from(JSON.stringify(sent)))).toEqual([]);
  expectReported();
});

test.each(['FACEBOOK', 'TIKTOK', 'TWITTER', 'LINKEDIN'] as const)(
  '%s: a body with many nested levels is rejected',
  (platform) => {
    const body = Buffer.from('['.repeat(100_000) + ']'.repeat(100_000));

    expect(() => networkOf(platform).parseEvents(body)).toThrow(SyntaxError);
  },
);

test('YouTube: an entry that cannot be read is skipped, and the rest is processed', () => {
  const whole =
    '<yt:videoId>v</yt:videoId><yt:channelId>c</yt:channelId><updated>2026-01-01T00:00:00Z</updated>';
  const body = `<feed><entry><title>${secretWords}</title></entry><entry>${whole}</entry></feed>`;

  expect(eventsOf('YOUTUBE', body)).toMatchObject([{ messageId: 'v' }]);
  expectReported();
});

const long = '17841405793187218';
/** The values that each network may write as a number, and its event. */
const numbered: ReadonlyArray<readonly [Platform, string, object]> = [
  [
    'FACEBOOK',
    `{"object":"page","entry":[{"id":${long},"time":"1700000000","messaging":[{"sender":{"id":${long}9},"recipient":{"id":${long}},"timestamp":"1700000000000","message":{"mid":7,"text":5}}]}]}`,
    { platformUserId: long, from: { id: `${long}9` }, eventId: '7', text: '5' },
  ],
  [
    'FACEBOOK',
    `{"object":"page","entry":[{"id":"p","changes":[{"field":"feed","value":{"item":"comment","verb":"add","post_id":${long},"comment_id":${long}1,"from":{"id":${long}2}}}]}]}`,
    { messageId: `${long}1`, platformPostId: long, from: { id: `${long}2` } },
  ],
  [
    'INSTAGRAM',
    `{"object":"instagram","entry":[{"id":${long},"time":1700000000,"changes":[{"field":"comments","value":{"id":${long}3,"text":"Hi","from":{"id":${long}4},"media":{"id":${long}5}}}]}]}`,
    { platformUserId: long, messageId: `${long}3`, platformPostId: `${long}5` },
  ],
  [
    'TWITTER',
    `{"data":{"filter":{"user_id":${long}},"event_type":"post.mention.create","payload":{"id":${long}6,"text":"Hi","author_id":${long}7}}}`,
    { platformUserId: long, messageId: `${long}6`, from: { id: `${long}7` } },
  ],
  [
    'TIKTOK',
    `{"event":"im_receive_msg","create_time":"1700000000","user_openid":${long},"content":{"message_id":${long}8,"conversation_id":${long}9}}`,
    { platformUserId: long, messageId: `${long}8`, from: { id: `${long}9` } },
  ],
  [
    'LINKEDIN',
    `{"notifications":[{"notificationId":${long},"organizationalEntity":"urn:li:organization:1","action":"COMMENT","decoratedGeneratedActivity":{"comment":{"owner":"urn:li:person:1","entity":"urn:li:comment:(a,1)","text":5}},"lastModifiedAt":"1700000000000"}]}`,
    { eventId: long, text: '5', occurredAt: '2023-11-14T22:13:20.000Z' },
  ],
];

test.each(numbered)('%s: ids may be numbers of any length', (platform, body, event) => {
  expect(eventsOf(platform, body)).toMatchObject([event]);
});

/**
 * Returns every copy of a JSON value in which one of its fields is null, or has a different type.
 */
function variantsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) {
    return [null, {}, [], 'other', 7, true];
  }

  return Object.entries(value).flatMap(([name, part]) =>
    [...variantsOf(part), null].map((other) =>
      Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other },
    ),
  );
}

const optionalParts = {
  recipient: { id: 'account' },
  timestamp: 1,
  message: {
    mid: 'm',
    text: 'Hi',
    is_echo: false,
    is_deleted: false,
    metadata: 'tag',
    attachments: [{ type: 'image', payload: { url: 'https://example.com/a', sticker_id: 1 } }],
    reply_to: { mid: 'm0', story: { id: 's', url: 'https://example.com/s' } },
  },
};

test('Meta: a message requires only its id', () => {
  for (const part of variantsOf(optionalParts) as readonly (typeof optionalParts)[]) {
    const item = { sender: { id: '9' }, ...part };
    const entry = [{ id: 'account', time: null, changes: null, messaging: [item] }];
    const events = eventsOf('INSTAGRAM', JSON.stringify({ object: 'instagram', entry }));

    const { mid } = part.message ?? {};
    const isReadable = typeof mid === 'string' || typeof mid === 'number';
    expect(events.length, JSON.stringify(part)).toBe(isReadable ? 1 : 0);
  }
});
