import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareMatches,
  createKeywordMatcher,
  type MatchableKeyword,
} from '#lib/features/campaigns/keyword-matcher.ts';
import {
  isWordEdge,
  normalizeKeywordText,
  normalizeMessageText,
  wordSpan,
} from '#lib/platform/keyword-text.ts';
import { type MatchType, matchTypes } from '#schemas/campaigns.ts';

const campaignId = '0192f0c3-2b3d-7293-84a5-1a2b3c4d5e6f';

function keyword(text: string, matchType: MatchType, priority = 1): MatchableKeyword {
  return { keyword: text, matchType, priority, campaignId };
}

function matches(text: string, type: MatchType, message: string): boolean {
  return createKeywordMatcher([keyword(text, type)]).match(message).length > 0;
}

describe('createKeywordMatcher', () => {
  it.each<[string, MatchType, string, boolean]>([
    // Latin, with accents
    ['price', 'CONTAINS', 'What is the PRICE?', true],
    ['art', 'CONTAINS', 'when do we start', false],
    ['art', 'CONTAINS', 'art, please', true],
    ['café', 'CONTAINS', 'un CAFE\u0301 noir', true],
    ['cafe', 'CONTAINS', 'un café noir', false],
    ['strasse', 'CONTAINS', 'Hauptstraße', false],
    ['strasse', 'EXACT', 'STRAßE', true],
    ['full  price', 'CONTAINS', 'the full\n price', true],
    ['price', 'CONTAINS', 'ＰＲＩＣＥ', true],
    ['e-mail', 'CONTAINS', 'my e-mail, please', true],
    ['50%', 'CONTAINS', 'is it 50% off', true],
    ['50', 'CONTAINS', 'it costs 500', false],
    // Turkish, with and without dots
    ['fiyat', 'CONTAINS', 'FİYAT NE KADAR?', true],
    ['FİYAT', 'EXACT', 'fiyat', true],
    ['fırsat', 'CONTAINS', 'BÜYÜK FIRSAT', true],
    ['izmir', 'EXACT', 'I\u0307ZMI\u0307R', true],
    // Cyrillic and Greek
    ['цена', 'CONTAINS', 'Какая ЦЕНА?', true],
    ['цен', 'CONTAINS', 'Какая цена?', false],
    ['οδος', 'CONTAINS', 'ποια ΟΔΟΣ είναι', true],
    ['οδοσ', 'EXACT', 'οδός'.normalize('NFD').replaceAll('\u0301', ''), true],
    // Arabic and Hebrew
    ['سعر', 'CONTAINS', 'ما هو سعر المنتج؟', true],
    ['سعر', 'CONTAINS', 'الأسعار', false],
    ['מחיר', 'CONTAINS', 'מה מחיר?', true],
    ['מחיר', 'CONTAINS', 'המחירון', false],
    // Devanagari: vowel signs belong to the word
    ['कीमत', 'CONTAINS', 'इसकी कीमत क्या है', true],
    ['क', 'CONTAINS', 'की', false],
    // Scripts without spaces: Thai, Chinese, Japanese
    ['ราคา', 'CONTAINS', 'ขอทราบราคาหน่อย', true],
    ['价格', 'CONTAINS', '请问价格是多少', true],
    ['价格', 'STARTS_WITH', '价格是多少', true],
    ['价格', 'ENDS_WITH', '请问价格', true],
    ['価格', 'CONTAINS', 'この商品の価格を教えて', true],
    ['カタログ', 'CONTAINS', '新しいカタログください', true],
    ['ｶﾀﾛｸﾞ', 'CONTAINS', '新しいカタログください', true],
    ['ai', 'CONTAINS', '请问ai是什么', true],
    // Prefixes and articles of Hebrew and Arabic
    ['קופון', 'CONTAINS', 'את הקופון', true],
    ['קופון', 'CONTAINS', 'וכשהקופון יגיע', true],
    ['קופון', 'STARTS_WITH', 'לקופון, בבקשה', true],
    ['קופון', 'ENDS_WITH', 'איפה הקופון?', true],
    ['קופון', 'EXACT', 'הקופון', false],
    ['קופון', 'CONTAINS', 'נקופון', false],
    ['info', 'CONTAINS', 'שלחו לי את הinfo', true],
    ['سعر', 'CONTAINS', 'كم السعر', true],
    ['سعر', 'CONTAINS', 'وبالسعر الجديد', true],
    ['سعر', 'CONTAINS', 'للسعر', true],
    ['سعر', 'CONTAINS', 'تسعر', false],
    ['سعر', 'CONTAINS', 'ســـعر', true],
    // Korean has spaces, but adds particles
    ['가격', 'CONTAINS', '가격 알려 주세요', true],
    ['가격', 'CONTAINS', '이거 가격이 얼마예요', true],
    ['가격', 'CONTAINS', '최저가격표', true],
    ['가격', 'CONTAINS', '가격이'.normalize('NFD'), true],
    ['쿠폰', 'STARTS_WITH', '쿠폰주세요', true],
    ['쿠폰', 'ENDS_WITH', '할인쿠폰', true],
    ['info', 'CONTAINS', 'INFO를 보내주세요', true],
    ['info', 'CONTAINS', 'INFOください', true],
    ['info', 'CONTAINS', 'ขอinfoหน่อย', true],
    ['art', 'CONTAINS', 'restart를 누르세요', false],
    // Invisible characters
    ['free followers', 'CONTAINS', 'get f\u200Bree\u2060 follo\u00ADwers', true],
    ['می‌خواهم', 'CONTAINS', 'قیمت را میخواهم', true],
    ['price', 'EXACT', '\u202Aprice\u202C\uFEFF', true],
    ['cafe', 'EXACT', 'cafe\u200B\u0301', false],
    // Apostrophes, quotation marks and dashes
    ["don't stop", 'CONTAINS', 'Don’t stop!', true],
    ['don´t', 'EXACT', 'DonʼT', true],
    ["m'ята", 'EXACT', 'm՚ята', true],
    ['צה"ל', 'CONTAINS', 'צה״ל', true],
    ['opt-out', 'EXACT', 'opt‑out', true],
    ['opt-out', 'EXACT', 'opt−out', true],
    // Emoji
    ['🔥', 'CONTAINS', 'so good🔥🔥', true],
    ['❤️', 'EXACT', '❤', true],
    ['👍', 'EXACT', '👍🏽', true],
    ['🔥', 'EXACT', '🔥🔥!', true],
    ['🔥', 'EXACT', '🔥 price', false],
    ['🔥', 'STARTS_WITH', '🔥 price', true],
    ['🔥!', 'CONTAINS', 'so good 🔥', true],
    ['?', 'CONTAINS', 'price?', true],
    ['👩‍💻', 'CONTAINS', 'a 👩‍💻', true],
    // Position in the text
    ['price', 'EXACT', '  Price ', true],
    ['price', 'EXACT', 'price?', true],
    ['#price!', 'EXACT', '«Price» 🔥', true],
    ['price', 'EXACT', 'price? please', false],
    ['price', 'STARTS_WITH', 'Price, please', true],
    ['price', 'STARTS_WITH', 'pricey', false],
    ['price', 'STARTS_WITH', 'the price', false],
    ['price', 'ENDS_WITH', 'the price', true],
    ['price', 'ENDS_WITH', 'lowprice', false],
    ['price', 'ENDS_WITH', 'the price?', true],
    ['price', 'STARTS_WITH', '(Price), please', true],
  ])('matches %s (%s) in "%s": %s', (text, type, message, expected) => {
    expect(matches(text, type, message)).toBe(expected);
  });

  it('never matches an empty keyword', () => {
    expect(matches('  ', 'CONTAINS', 'anything')).toBe(false);
  });
});

describe('order of matching keywords', () => {
  it('sorts by priority number, match type, length, and campaign age', () => {
    const older = '0192f0c3-0000-7293-84a5-1a2b3c4d5e6f';
    const keywords = [
      { ...keyword('price', 'CONTAINS', 2) },
      { ...keyword('the price', 'CONTAINS', 1) },
      { ...keyword('price', 'ENDS_WITH', 1) },
      { ...keyword('the', 'STARTS_WITH', 1) },
      { ...keyword('the price', 'EXACT', 1) },
      { ...keyword('price', 'CONTAINS', 1) },
      { ...keyword('price', 'CONTAINS', 1), campaignId: older },
    ];
    const won = createKeywordMatcher(keywords).match('The price');

    expect(won.map((one) => keywords.indexOf(one))).toEqual([4, 3, 2, 1, 6, 5, 0]);
  });
});

const alphabet = fc.constantFrom('a', 'b', 'é', ' ', 'я', '价', 'ก', '🔥', '-', '1', '\u0301');
const texts = fc.string({ unit: alphabet, minLength: 1, maxLength: 8 });

/** A slow reference implementation of the matching rule. */
function naive({ keyword: wanted, matchType }: MatchableKeyword, message: string): boolean {
  const text = normalizeMessageText(message);
  const span = wordSpan(text);
  const part = normalizeKeywordText(wanted);
  const all = [...Array(text.length).keys()].filter((index) => text.startsWith(part, index));

  return (
    part !== '' &&
    all.some((start) => {
      const end = start + part.length;
      const isWhole = isWordEdge(text, start) && isWordEdge(text, end);
      const atStart = start <= span.start || !['EXACT', 'STARTS_WITH'].includes(matchType);
      const atEnd = end >= span.end || !['EXACT', 'ENDS_WITH'].includes(matchType);

      return isWhole && atStart && atEnd;
    })
  );
}

describe('keyword normalization and matching', () => {
  it('matches the reference implementation, including the order', () => {
    const keywords = fc.array(
      fc.record({
        keyword: texts,
        matchType: fc.constantFrom(...matchTypes),
        priority: fc.integer({ min: 1, max: 3 }),
        campaignId: fc.constantFrom('a', 'b'),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(keywords, texts, (all, message) => {
        const expected = all.filter((one) => naive(one, message));
        const found = createKeywordMatcher(all).match(message);

        expect(new Set(found)).toEqual(new Set(expected));
        for (const [index, one] of found.slice(1).entries()) {
          const before = found[index];
          expect(before && compareMatches(before, one)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });

  it('normalizes every letter, its case variants, and its normal form to the same text', () => {
    const points = Array.from({ length: 0x2_0000 }, (_, point) => point);
    const letters = points
      .map((point) => String.fromCodePoint(point))
      .filter((text) => /\p{L}/u.test(text));
    const torn = letters.filter((letter) => {
      const normalized = normalizeKeywordText(letter);
      const forms = [normalized, letter.toLowerCase(), letter.toUpperCase()];

      return forms.some((form) => normalizeKeywordText(form) !== normalized);
    });

    expect(letters.length).toBeGreaterThan(50_000);
    expect(torn).toEqual([]);
  });
});
