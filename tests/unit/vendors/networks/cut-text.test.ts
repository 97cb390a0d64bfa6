import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutText } from '#lib/vendors/networks/cut-text.ts';
import { maxReplyLength, replyLength } from '#lib/vendors/networks/text-length.ts';
import { channels, platforms } from '#schemas/platforms.ts';

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
    const endings = fc.constantFrom(
      '',
      '\nThis answer was written by an AI.',
      '\n自動回答です👩‍👩‍👧',
    );
    fc.assert(
      fc.property(texts, endings, (text, ending) => {
        const cut = cutText(platform, channel, text, ending);
        expect(replyLength(platform, channel, cut)).toBeLessThanOrEqual(limit);
        expect(cut.endsWith(ending)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test('trims text that fits, and cuts longer text at a word boundary', () => {
    expect(cutText('TIKTOK', 'COMMENT', '  Ten pounds. ')).toBe('Ten pounds.');
    expect(cutText('TIKTOK', 'COMMENT', 'engine '.repeat(400))).toMatch(/engine…$/);
    expect(cutText('TIKTOK', 'COMMENT', 'engine '.repeat(400), '\nAI.')).toMatch(/engine…\nAI\.$/);
  });
});
