import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createKeywordMatcher,
  type MatchableKeyword,
} from '#lib/features/campaigns/keyword-matcher.ts';
import { shadowOf } from '#lib/features/campaigns/validate-keywords.ts';
import { matchTypes } from '#schemas/campaigns.ts';

const campaignId = '0192f0c3-2b3d-7293-84a5-1a2b3c4d5e6f';

const words = fc
  .array(fc.constantFrom('a', 'b', '价'), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(' '));
const anyKeyword: fc.Arbitrary<MatchableKeyword> = fc.record({
  keyword: words,
  matchType: fc.constantFrom(...matchTypes),
  priority: fc.integer({ min: 1, max: 3 }),
  campaignId: fc.constant(campaignId),
});

describe('shadowOf', () => {
  it('reports only keywords that can never be chosen', () => {
    fc.assert(
      fc.property(anyKeyword, anyKeyword, fc.array(words), (keyword, other, around) => {
        const { match } = createKeywordMatcher([keyword, other]);
        const isShadowed = shadowOf(keyword, match) !== undefined;
        const messages = [
          keyword.keyword,
          [...around, keyword.keyword].join(' '),
          [keyword.keyword, ...around].join(' '),
          [...around, keyword.keyword, ...around].join(' '),
        ];
        const wins = messages.some((message) => match(message)[0] === keyword);

        expect(isShadowed && wins).toBe(false);
      }),
    );
  });

  it.each([
    ['CONTAINS', 'price', 1, 'CONTAINS', 'full price', 2, true],
    ['CONTAINS', 'price', 2, 'CONTAINS', 'full price', 1, false],
    ['CONTAINS', 'price', 2, 'CONTAINS', 'full price', 2, false],
    ['CONTAINS', 'art', 1, 'CONTAINS', 'start', 2, false],
    ['STARTS_WITH', 'full', 1, 'STARTS_WITH', 'full price', 2, true],
    ['STARTS_WITH', 'full', 1, 'CONTAINS', 'full price', 2, false],
    ['ENDS_WITH', 'price', 1, 'ENDS_WITH', 'full price', 2, true],
    ['ENDS_WITH', 'price', 1, 'STARTS_WITH', 'full price', 2, false],
    ['ENDS_WITH', 'price', 1, 'EXACT', 'full price', 2, true],
    ['EXACT', 'price', 1, 'CONTAINS', 'full price', 2, false],
    ['CONTAINS', '!', 1, 'CONTAINS', 'price!', 2, false],
    ['CONTAINS', 'קופון', 1, 'CONTAINS', 'הקופון', 2, true],
    ['CONTAINS', '쿠폰', 1, 'CONTAINS', '할인쿠폰', 2, true],
  ] as const)(
    '%s "%s" (%i) shadows %s "%s" (%i): %s',
    (type, text, first, ofType, of, second, is) => {
      const other = { keyword: text, matchType: type, priority: first, campaignId };
      const keyword = { keyword: of, matchType: ofType, priority: second, campaignId };
      const { match } = createKeywordMatcher([other, keyword]);

      expect(shadowOf(keyword, match)).toBe(is ? other : undefined);
    },
  );
});
