import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import type { Platform } from '#schemas/platforms.ts';

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

/** TikTok's comments may lack their author, whom `completeEvent` fetches. */
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
