import fc from 'fast-check';
import { expect, test } from 'vitest';
import { untilMidnightPacific } from '#lib/vendors/networks/youtube/quota-reset.ts';
import { toVideoMetadata } from '#lib/vendors/networks/youtube/video-metadata.ts';

const hourMs = 3_600_000;

test.each([
  ['a winter day', '2026-01-15T20:00:00Z', 12],
  ['a summer day', '2026-07-15T20:00:00Z', 11],
  ['the day that loses an hour', '2026-03-08T08:30:00Z', 22.5],
  ['the day that gains an hour', '2026-11-01T07:30:00Z', 24.5],
  ['midnight itself', '2026-01-15T08:00:00Z', 24],
])('untilMidnightPacific returns the time until the quota reset: %s', (_what, at, hours) => {
  expect(untilMidnightPacific(Date.parse(at))).toBe(hours * hourMs);
});

test('untilMidnightPacific always ends at midnight Pacific within 25 hours', () => {
  const min = Date.parse('2020-01-01');
  const max = Date.parse('2035-01-01');
  fc.assert(
    fc.property(fc.integer({ min, max }), (seed) => {
      const at = Math.floor(seed / 1_000) * 1_000;
      const wait = untilMidnightPacific(at);
      const there = new Date(at + wait).toLocaleTimeString('en-US', {
        timeZone: 'America/Los_Angeles',
      });

      expect(there).toBe('12:00:00 AM');
      expect(wait).toBeLessThanOrEqual(25 * hourMs);
    }),
  );
});

test('the title of a YouTube video is the first line with text, and the description is the whole text', () => {
  expect(toVideoMetadata('\n  Hello \nworld')).toEqual({
    title: 'Hello',
    description: '\n  Hello \nworld',
  });
  expect(toVideoMetadata('a <b> c')).toEqual({ title: 'a ‹b› c', description: 'a ‹b› c' });
  expect(toVideoMetadata('').title).toBe('Video');
});

test('a long title of a YouTube video ends at a word boundary and never splits a character', () => {
  expect(toVideoMetadata('word '.repeat(30)).title).toBe(`${'word '.repeat(19).trim()}…`);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), (text) => {
      const { title } = toVideoMetadata(text);

      expect(title.length).toBeLessThanOrEqual(100);
      expect(title.trim()).not.toBe('');
      expect(title.isWellFormed()).toBe(text.isWellFormed());
      expect(title).not.toMatch(/[<>]/);
    }),
  );
});
