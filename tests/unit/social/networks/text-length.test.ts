import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { postLength, replyLength } from '#lib/social/networks/text-length.ts';

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
  ['See https://a.example/x and http://b.example/y', 4 + 23 + 5 + 23],
  ['shop.example.com/sale now', 23 + 4],
  ['example.com', 23],
  ['mail me@example.com', 19],
  ['version 1.2.3', 13],
])('X counts %j as %i', (text, length) => {
  expect(postLength('TWITTER', text)).toBe(length);
});

test('X counts a text without addresses the same, whatever stands before it', () => {
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
  ['FACEBOOK', 5, 5],
  ['INSTAGRAM', 5, 9],
  ['TIKTOK', 5, 5],
  ['TWITTER', 5, 5],
  ['LINKEDIN', 5, 5],
  ['YOUTUBE', 9, 5],
] as const)(
  '%s counts a letter, one of two bytes, a sign and an emoji as %i in a post, and as %i in an answer',
  (platform, post, reply) => {
    const text = 'aß\u0301😀';

    expect([postLength(platform, text), replyLength(platform, text)]).toEqual([post, reply]);
  },
);

test('addresses are shorter than they are on X alone', () => {
  const address = 'https://example.com/engines';

  expect([postLength('TWITTER', address), postLength('LINKEDIN', address)]).toEqual([23, 27]);
});
