import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { networkOf } from '#lib/social/networks/networks.ts';

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

/** Events, or the one failure that says that there are none. */
function eventsOf(platform: 'LINKEDIN' | 'YOUTUBE', body: string) {
  try {
    return networkOf(platform).parseEvents(Buffer.from(body));
  } catch (failure) {
    expect(failure).toBeInstanceOf(SyntaxError);

    return [];
  }
}

test('whatever LinkedIn sends, it is whole events or a refusal', () => {
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

test('whatever the hub sends, it is whole events or a refusal', () => {
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
