import { describe, expect, test } from 'vitest';
import {
  consentAskedBy,
  normalizeConsentText,
} from '#lib/features/conversations/inbound/opt-out-words.ts';
import { defaultOptInWords, defaultOptOutWords } from '#schemas/consent-words.ts';

/** A word for "stop" in a script, other spellings of it, and a different word. */
const scripts = [
  ['Latin', 'ARRÊT', ['arret', 'Arrêt!', '¡ａｒｒｅｔ!', '🛑 arr\u200Bet ✋🏽'], 'arrête'],
  ['Latin with a dotted I', 'İPTAL', ['iptal', 'İPTAL.', 'IPTAL'], 'iptal et'],
  ['Cyrillic', 'СТОЙ', ['стой', '«Стой»', 'сто\u0301й'], 'стои'],
  ['Cyrillic with ё', 'ВСЁ', ['все', 'Всё.'], 'вся'],
  ['Greek', 'ΔΙΑΚΟΠΉ', ['διακοπή', 'Διακοπη.', 'ΔΙΑΚΟΠΗ'], 'διακοπές'],
  ['Hebrew', 'הפסק', ['הַפְסֵק', 'הפסק!'], 'הפסקה'],
  ['Arabic', 'إيقاف', ['ايقاف', 'إِيقاف؟', 'إيقاف\u200F'], 'إيقافه'],
  ['Devanagari', 'बंद करो', ['बंद  करो।', ' बंद करो '], 'बद करो'],
  ['Bengali', 'বন্ধ', ['বন্ধ!', '"বন্ধ"'], 'বনধ'],
  ['Thai', 'หยุด', ['หยุด!', ' หยุด'], 'หยด'],
  ['Latin with an apostrophe', "don't", ['DON’T', 'don´t.'], 'dont'],
  ['Han', '停止', ['停止。', '「停止」'], '停止了'],
  ['Katakana', 'ストップ', ['ストップ！', 'ｽﾄｯﾌﾟ'], 'ストッフ'],
  ['Hangul', '중지', ['중지.', '중지'.normalize('NFD')], '중기'],
  ['Armenian', 'ԿԱՆԳ', ['կանգ', 'Կանգ։'], 'կանգնել'],
  ['Georgian', 'შეჩერება', ['შეჩერება!', 'ᲨᲔᲩᲔᲠᲔᲑᲐ'], 'შეჩერებ'],
] as const;

describe('consentAskedBy', () => {
  test.each(scripts)('recognizes a word in %s, and no other word', (_, word, same, other) => {
    const words = { optOutWords: [word] };

    expect([word, ...same].map((text) => consentAskedBy(text, words))).toEqual(
      Array(same.length + 1).fill('optOut'),
    );
    expect(consentAskedBy(other, words)).toBeUndefined();
    expect(consentAskedBy(`${word} ${word}`, words)).toBeUndefined();
    expect(consentAskedBy(`x ${word}`, words)).toBeUndefined();
  });

  test.each(defaultOptOutWords)('opts out by default for %s', (word) => {
    expect(consentAskedBy(` ${word.toLowerCase()}!!! `, {})).toBe('optOut');
    expect(consentAskedBy(`please ${word}`, {})).toBeUndefined();
  });

  test("uses an organization's words instead of the defaults", () => {
    expect(consentAskedBy('STOP', { optOutWords: ['ENOUGH'] })).toBeUndefined();
    expect(consentAskedBy('enough.', { optOutWords: ['ENOUGH'] })).toBe('optOut');
  });

  test('always opts in for START and UNSTOP, even if they are set as opt-out words', () => {
    const words = { optOutWords: ['Start', 'unstop', 'back'], optInWords: ['Back', 'Weiter'] };

    expect(['start', 'UNSTOP!', 'weiter'].map((text) => consentAskedBy(text, words))).toEqual([
      'optIn',
      'optIn',
      'optIn',
    ]);
    expect(consentAskedBy('back', words)).toBe('optOut');
    expect(defaultOptInWords.map((word) => consentAskedBy(word, {}))).toEqual(['optIn', 'optIn']);
  });

  test.each(['', ' ', '!!!', '\u200B', '…'])('returns undefined for %j', (text) => {
    expect(consentAskedBy(text, { optOutWords: ['!'] })).toBeUndefined();
  });
});

test('normalizeConsentText keeps punctuation inside a text', () => {
  expect(normalizeConsentText('-Opt-Out!-')).toBe('opt-out');
});
