import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { destinationOf } from '#lib/features/short-links/destination.ts';
import { depth } from '#tests/support/depth.ts';

const tags = { utmSource: 'bio', utmMedium: 'social', utmCampaign: 'spring sale' };
const added = 'utm_source=bio&utm_medium=social&utm_campaign=spring%20sale';

describe('destinationOf', () => {
  test.each([
    ['https://example.com', `https://example.com/?${added}`],
    ['https://example.com/a?b=1', `https://example.com/a?b=1&${added}`],
    ['https://example.com/a#part', `https://example.com/a?${added}#part`],
    ['https://example.com/?', `https://example.com/?${added}`],
    [
      'https://example.com/?utm_source=own',
      'https://example.com/?utm_source=own&utm_medium=social&utm_campaign=spring%20sale',
    ],
    [
      'https://example.com/?utm_source=&q=a+b%20c',
      'https://example.com/?utm_source=&q=a+b%20c&utm_medium=social&utm_campaign=spring%20sale',
    ],
  ])('turns %s with all UTM parameters into %s', (url, expected) => {
    expect(destinationOf({ url, ...tags })).toBe(expected);
  });

  test('returns the URL unchanged when the link has no UTM parameters', () => {
    expect(destinationOf({ url: 'https://example.com/a?b=1' })).toBe('https://example.com/a?b=1');
    expect(destinationOf({ url: 'https://example.com/', utmSource: null })).toBe(
      'https://example.com/',
    );
  });

  test('keeps every URL parameter, adds each UTM parameter once, and returns printable ASCII', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true }),
        fc.string({ minLength: 1 }),
        (url, tag) => {
          fc.pre(tag.isWellFormed());
          const before = new URL(url);
          const target = destinationOf({ url, utmSource: tag });
          const after = new URL(target);
          expect(target).toMatch(/^[\x21-\x7e]+$/);
          expect(after.host + after.pathname + after.hash).toBe(
            before.host + before.pathname + before.hash,
          );
          expect(after.search.startsWith(before.search)).toBe(true);
          if (!before.searchParams.has('utm_source')) {
            expect(after.searchParams.getAll('utm_source')).toEqual([tag]);
          }
        },
      ),
      { numRuns: depth(20, 1_000) },
    );
  });
});
