import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clip,
  cutToLength,
  firstCharacters,
  oneLine,
  storableText,
} from '#lib/platform/characters.ts';
import { isWellFormedText } from '#schemas/common.ts';

const texts = fc.string({ unit: 'binary', maxLength: 60 });
/** Includes NUL characters and lone surrogates. */
const anything = fc
  .array(fc.oneof(texts, fc.constantFrom('\u0000', '\ud83c', '\udf55', '🍕')))
  .map((parts) => parts.join(''));
const lengths = fc.integer({ min: 1, max: 40 });

describe('cutToLength, firstCharacters, and clip', () => {
  it('returns a prefix within the limit and never splits a character', () => {
    const property = fc.property(texts, lengths, (text, length) => {
      const cut = cutToLength(text, length);
      const first = firstCharacters(text, length);

      expect(cut.length).toBeLessThanOrEqual(length);
      expect(text.startsWith(cut) && text.startsWith(first)).toBe(true);
      expect(cut.isWellFormed() && first.isWellFormed()).toBe(true);
      expect([...first].length).toBe(Math.min([...text].length, length));
    });

    fc.assert(property);
  });

  it('adds an ellipsis only to clipped text', () => {
    const property = fc.property(texts, lengths, (text, length) => {
      const clipped = clip(text, length);

      const whole = [...text].length <= length;

      expect([...clipped].length).toBe(whole ? [...text].length : length);
      expect(whole ? clipped === text : clipped.endsWith('…')).toBe(true);
    });

    fc.assert(property);
    expect(clip('🍕🍕🍕', 2)).toBe('🍕…');
    expect(clip('🍕🍕', 2)).toBe('🍕🍕');
  });
});

describe('storableText and oneLine', () => {
  it('replaces NUL characters and lone surrogates', () => {
    fc.assert(fc.property(anything, (text) => isWellFormedText(storableText(text))));
    expect(storableText('a\u0000\ud83cb🍕')).toBe('a\ufffdb🍕');
  });

  it('collapses line breaks and control characters into one line', () => {
    const property = fc.property(anything, (text) => !/[\p{Cc}\u2028\u2029]/u.test(oneLine(text)));

    fc.assert(property);
    expect(oneLine(' Ada\r\n\t Lovelace\u2028')).toBe('Ada Lovelace');
  });
});
