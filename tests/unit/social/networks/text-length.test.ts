import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { textLength } from '#lib/social/networks/text-length.ts';

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
  expect(textLength('TWITTER', text)).toBe(length);
});

test('X counts a text without addresses the same, whatever stands before it', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'ß', '語', ' ', 'Ж'), maxLength: 40 });

  fc.assert(
    fc.property(words, words, (before, after) => {
      expect(textLength('TWITTER', `${before} ${after}`)).toBe(
        textLength('TWITTER', before) + 1 + textLength('TWITTER', after),
      );
    }),
  );
});

test('TikTok counts UTF-16 units, YouTube bytes, the others characters', () => {
  expect(textLength('TIKTOK', 'a😀')).toBe(3);
  expect(textLength('YOUTUBE', 'aß😀')).toBe(7);
  expect(textLength('INSTAGRAM', 'a😀')).toBe(2);
  expect(textLength('LINKEDIN', 'https://example.com/')).toBe(20);
});
