import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxTurnLength, maxTurnsLength } from '#lib/features/ai/last-turns.ts';
import { cutText, turnsOf } from '#lib/features/replies/compose-reply.ts';
import { maxReplyLength, replyLength } from '#lib/vendors/networks/text-length.ts';
import { channels, platforms } from '#schemas/platforms.ts';

const said = fc.record({
  direction: fc.constantFrom('IN' as const, 'OUT' as const),
  text: fc
    .tuple(fc.constantFrom('a', 'ж', '🍕'), fc.integer({ min: 1, max: 6_000 }))
    .map(([sign, count]) => sign.repeat(count)),
  status: fc.constantFrom('RECEIVED' as const, 'SENT' as const, 'FAILED' as const),
});

describe('turnsOf', () => {
  test('returns all messages in order, except those that failed to send', () => {
    const turns = turnsOf([
      { direction: 'IN', text: 'What is the price?', status: 'RECEIVED' },
      { direction: 'OUT', text: 'Ten pounds.', status: 'FAILED' },
      { direction: 'OUT', text: 'Ten pounds!', status: 'SENT' },
      { direction: 'IN', text: 'Thank you', status: 'RECEIVED' },
    ]);

    expect(turns).toEqual([
      { role: 'user', content: 'What is the price?' },
      { role: 'assistant', content: 'Ten pounds!' },
      { role: 'user', content: 'Thank you' },
    ]);
  });

  test('never exceeds the maximum length and always includes the latest messages', () => {
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 20 }), (history) => {
        const contents = turnsOf(history).map(({ content }) => content);
        const arrived = history.filter(({ status }) => status !== 'FAILED');
        const latest = arrived.slice(arrived.length - contents.length);

        expect(contents.join('').length).toBeLessThanOrEqual(maxTurnsLength);
        expect(contents.length).toBeGreaterThanOrEqual(Math.min(arrived.length, 4));
        for (const [index, { text }] of latest.entries()) {
          const content = contents[index] ?? '';
          expect(text.startsWith(content)).toBe(true);
          expect(content.isWellFormed()).toBe(true);
          expect(content.length).toBeGreaterThanOrEqual(Math.min(text.length, maxTurnLength - 1));
        }
      }),
    );
  });
});

describe('cutText', () => {
  test.each(
    platforms
      .flatMap((platform) => channels.map((channel) => [platform, channel] as const))
      .filter(([platform, channel]) => maxReplyLength(platform, channel) > 0),
  )('cuts any text to a length that %s accepts for a %s', (platform, channel) => {
    const limit = maxReplyLength(platform, channel);
    const unit = fc.oneof(
      fc.constantFrom('word ', '文字', '👩‍👩‍👧 ', 'https://example.com/x '),
      fc.string(),
    );
    const texts = fc.array(unit, { maxLength: 60 }).map((parts) => parts.join('').repeat(99));
    fc.assert(
      fc.property(texts, (text) => {
        const cut = cutText(platform, channel, text);
        expect(replyLength(platform, channel, cut)).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 30 },
    );
  });

  test('trims text that fits, and cuts longer text at a word boundary', () => {
    expect(cutText('TIKTOK', 'COMMENT', '  Ten pounds. ')).toBe('Ten pounds.');
    expect(cutText('TIKTOK', 'COMMENT', 'engine '.repeat(400))).toMatch(/engine…$/);
  });
});
