import { expect, test } from 'vitest';
import { textProblem } from '#lib/vendors/networks/text-problem.ts';
import type { Platform } from '#schemas/platforms.ts';

const many = (count: number, one: (index: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, index) => one(index)).join(separator);
const hashtags = (count: number, separator?: string) =>
  many(count, (index) => `#tag${index}`, separator);
const mentions = (count: number) => many(count, (index) => `@name.${index}_`);

const tooMany = (limit: number, counted: string, platform: Platform, contained: number) =>
  `must contain no more than ${limit} ${counted} on ${platform}, and contains ${contained}`;

test.each([
  [hashtags(31), 31],
  [hashtags(31, ''), 31],
  [many(31, (index) => `＃${index}`), 31],
  [many(31, () => '#größe, (#größe)'), 62],
  [many(31, () => '#🔥'), 31],
])('Instagram rejects a caption with the hashtags in %s', (text, count) => {
  expect(textProblem('INSTAGRAM', 'post', text)).toBe(tooMany(30, 'hashtags', 'INSTAGRAM', count));
});

test.each([
  hashtags(30),
  many(31, () => 'C# a#b # &#39;'),
  `${hashtags(30)} https://a.example/?x=#part www.a.example/a_(b)#c a.example/-#d`,
  mentions(20),
  many(21, (index) => `ada${index}@a.example https://a.example/@ada${index}`),
])('Instagram accepts a caption such as %s', (text) => {
  expect(textProblem('INSTAGRAM', 'post', text)).toBeUndefined();
});

test('Instagram limits mentions, in comments more than in captions', () => {
  expect(textProblem('INSTAGRAM', 'post', mentions(21))).toBe(
    tooMany(20, 'mentions', 'INSTAGRAM', 21),
  );
  expect(textProblem('INSTAGRAM', 'COMMENT', mentions(5))).toBeUndefined();
  expect(textProblem('INSTAGRAM', 'COMMENT', mentions(6))).toBe(
    tooMany(5, 'mentions', 'INSTAGRAM', 6),
  );
  expect(textProblem('INSTAGRAM', 'COMMENT', hashtags(31))).toBe(
    tooMany(30, 'hashtags', 'INSTAGRAM', 31),
  );
  expect(textProblem('INSTAGRAM', 'DIRECT_MESSAGE', mentions(21))).toBeUndefined();
});

test('YouTube ignores all hashtags if there are more than 60', () => {
  expect(textProblem('YOUTUBE', 'post', hashtags(60))).toBeUndefined();
  expect(textProblem('YOUTUBE', 'post', hashtags(61))).toBe(tooMany(60, 'hashtags', 'YOUTUBE', 61));
});

test('YouTube counts the bytes of the characters that replace angle brackets', () => {
  expect(textProblem('YOUTUBE', 'post', '<'.repeat(1_666))).toBeUndefined();
  expect(textProblem('YOUTUBE', 'post', '<'.repeat(1_667))).toContain('counts it as 5001');
});

test.each([
  ['$ACME and ($brk.b)', 2],
  ['Costs $5 or US$7, like $ACME', 0],
  ['a$acme $acme1 $toolongs $', 0],
])('X allows one cashtag, so in "%s" it finds %i too many', (text, count) => {
  const problem = count === 0 ? undefined : tooMany(1, 'cashtags', 'TWITTER', count);

  expect(textProblem('TWITTER', 'post', text)).toBe(problem);
  expect(textProblem('TWITTER', 'COMMENT', text)).toBe(problem);
});

test.each(['FACEBOOK', 'LINKEDIN', 'TIKTOK', 'TWITTER'] as const)(
  '%s limits neither hashtags nor mentions',
  (platform) => {
    expect(
      textProblem(
        platform,
        'post',
        many(31, () => '#a @b'),
      ),
    ).toBeUndefined();
  },
);
