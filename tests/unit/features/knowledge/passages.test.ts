import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxPassageLength, passagesOf, passagesOfText } from '#lib/features/knowledge/passages.ts';
import { depth } from '#tests/support/depth.ts';

describe('passagesOfText', () => {
  it('keeps a short text whole', () => {
    expect(passagesOfText('  We open at nine.\r\n\r\n\r\n\r\nWe close   at six. ')).toEqual([
      'We open at nine.\n\nWe close at six.',
    ]);
    expect(passagesOfText(' \n ')).toEqual([]);
  });

  it('splits a long text at the ends of sentences', () => {
    const sentence = (index: number) => `Sentence number ${index} says something about engines. `;
    const text = Array.from({ length: 100 }, (_, index) => sentence(index)).join('');
    const passages = passagesOfText(text);

    expect(passages.length).toBeGreaterThan(3);
    expect(passages.every((passage) => /^Sentence .*engines\.$/s.test(passage))).toBe(true);
    expect(passages.join(' ')).toBe(text.trim());
  });

  it('splits a sentence that is too long between words', () => {
    const passages = passagesOfText('engine '.repeat(1_000));

    expect(passages.every((passage) => /^(engine ?)+$/.test(passage))).toBe(true);
  });

  it('keeps all characters of any text in passages of at most 1,200', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('\n', '. ', 'x'.repeat(1_500), '👩‍👩‍👧'.repeat(300), '。'),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const text = words.join('');
        const passages = passagesOfText(text);
        const visible = (value: string) => value.replaceAll(/\s/gu, '');

        expect(visible(passages.join(''))).toBe(visible(text));
        expect(passages.every(({ length }) => length <= maxPassageLength && length > 0)).toBe(true);
        expect(passages.every((passage) => passage.isWellFormed())).toBe(text.isWellFormed());
      }),
      { seed: 1, numRuns: depth(30) },
    );
  });
});

describe('passagesOf', () => {
  it('makes one passage of each pair', () => {
    const faq = [{ question: 'Do you ship?', answer: 'Yes.'.repeat(400) }];

    expect(passagesOf({ faq })).toEqual([`Do you ship?\n${'Yes.'.repeat(400)}`]);
  });
});
