import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparable, normalizeKeywordText } from '#lib/platform/keyword-text.ts';

/** Characters that combine, disappear or change when a text is normalized. */
const special = [...'eiIİßẞςΣŉ´¨΄ !🔥\u0301\u0307\u200B\u0640\u0085\uFE71ﷺ가ㅤÅ'];
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...special), maxLength: 8 }),
);

describe('comparable', () => {
  it('returns the same text for any case and Unicode normalization form', () => {
    const property = fc.property(texts, (text) => {
      const one = comparable(text);

      expect(comparable(one)).toBe(one);
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
        expect(comparable(text.normalize(form))).toBe(one);
      }
    });

    fc.assert(property);
    for (const [text, other] of [
      ['Straße', 'STRASSE'],
      ['ẞ', 'ß'],
      ['ΟΔΟΣ', 'οδοσ'],
      ['FİYAT', 'fiyat'],
      ['ışık', 'IŞIK'],
      ['café', 'CAFE\u0301'],
      ['ﬁne', 'FINE'],
      ['ｐｒｉｃｅ', 'price'],
    ] as const) {
      expect(comparable(text)).toBe(comparable(other));
    }
    expect(comparable('café')).not.toBe(comparable('cafe'));
  });

  it.each([
    ['ß', ['ß', 'ẞ', 'SS'], 'ss'],
    ['final ς', ['οδος', 'ΟΔΟΣ', 'οδοσ'], 'οδοσ'],
    ['dotted and dotless i', ['İ', 'I', 'ı', 'i', 'I\u0307', 'i\u0307'], 'i'],
  ])('has one form of %s, also within a longer word', (_, words, form) => {
    for (const word of words) {
      expect(comparable(word)).toBe(form);
      expect(comparable(`${word}a`)).toBe(`${form}a`);
    }
  });
});

describe('normalizeKeywordText', () => {
  it('does not change normalized text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const normalized = normalizeKeywordText(text);

        expect(normalizeKeywordText(normalized)).toBe(normalized);
      }),
    );
  });
});
