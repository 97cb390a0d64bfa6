import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { maxReplyLength, postLength, replyLength } from '#lib/vendors/networks/text-length.ts';
import { platforms } from '#schemas/platforms.ts';

test.each([
  ['', 0],
  ['Hello, world', 12],
  ['Grüße aus Tbilisi: თბილისი', 26],
  ['“quoted” – and a dash…', 23],
  ['日本語', 6],
  ['안녕', 4],
  ['😀', 2],
  ['👨‍👩‍👧‍👦', 2],
  ['👍🏽', 2],
  ['🇩🇪🇫🇷', 4],
  ['1️⃣', 2],
  ['© 2026', 6],
  ['é', 1],
  ['e\u0301', 1],
  ['https://example.com/', 23],
  ['https://example.com/a/very/long/path?with=a&query=that#goes-on-and-on', 23],
  ['See https://a.de/x and http://b.museum/y', 4 + 23 + 5 + 23],
  ['https://nothing.example/x', 25],
  ['https://localhost/x', 19],
  ['(https://example.com/a_(b)?c=1).', 1 + 23 + 2],
  ['https://example.com/a), b', 23 + 4],
  ['https://example.com/a/?!', 23 + 2],
  ['https://example.com/search?q=a,b#c.', 23 + 1],
  ['詳細はhttps://example.comをご覧', 6 + 23 + 6],
  ['https://example.com/日本', 23 + 4],
  ['https://münchen.de/über', 23],
  ['https://пример.рф/путь', 23],
  ['https://xn--e1afmkfd.xn--p1ai', 23],
  ['my shop.agency, and müller.berlin', 3 + 23 + 6 + 23],
  ['пример.рф', 9],
  ['Hello.Dear friends', 18],
  ['#example.com @example.com $example.com', 38],
  ['shop.example.com/sale now', 23 + 4],
  ['example.com', 23],
  ['mail me@example.com', 19],
  ['version 1.2.3', 13],
])('X counts %j as %i', (text, length) => {
  expect(postLength('TWITTER', text)).toBe(length);
});

test('X counts text without URLs independently of the text before it', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'ß', '語', ' ', 'Ж'), maxLength: 40 });

  fc.assert(
    fc.property(words, words, (before, after) => {
      expect(postLength('TWITTER', `${before} ${after}`)).toBe(
        postLength('TWITTER', before) + 1 + postLength('TWITTER', after),
      );
    }),
  );
});

test.each([
  ['FACEBOOK', 4, 4, 4],
  ['INSTAGRAM', 4, 4, 8],
  ['TIKTOK', 4, 4, 4],
  ['TWITTER', 5, 5, 4],
  ['LINKEDIN', 4, 4, 4],
  ['YOUTUBE', 8, 4, 4],
] as const)(
  '%s counts 語a😀 as %i in a post, as %i in a comment, and as %i in a message',
  (platform, ...lengths) => {
    const text = '語a😀';

    expect([
      postLength(platform, text),
      replyLength(platform, 'COMMENT', text),
      replyLength(platform, 'DIRECT_MESSAGE', text),
    ]).toEqual(lengths);
  },
);

test.each(platforms)('replies to posts on %s are measured as comments', (platform) => {
  const text = 'https://example.com/engines 語a😀';

  expect(replyLength(platform, 'POST', text)).toBe(replyLength(platform, 'COMMENT', text));
  expect(maxReplyLength(platform, 'POST')).toBe(capabilities[platform].maxCommentLength);
});

test('only X shortens URLs', () => {
  const address = 'https://example.com/engines';

  expect([postLength('TWITTER', address), postLength('LINKEDIN', address)]).toEqual([23, 27]);
});
