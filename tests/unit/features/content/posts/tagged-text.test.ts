import { describe, expect, it } from 'vitest';
import { taggedText } from '#lib/features/content/posts/tagged-text.ts';

const utm = { utmSource: 'news letter', utmMedium: "it's (on)" };
const query = 'utm_source=news%20letter&utm_medium=it%27s%20%28on%29';

describe('the text of a publication', () => {
  it.each([
    ['See https://a.example/x.', `See https://a.example/x?${query}.`],
    ['https://a.example', `https://a.example/?${query}`],
    ['(https://a.example/x)!', `(https://a.example/x?${query})!`],
    ['https://a.example/x_(y), z', `https://a.example/x_(y)?${query}, z`],
    ['https://a.example/x?b=1#part', `https://a.example/x?b=1&${query}#part`],
    [
      'https://a.example/\nhttps://b.example/ü',
      `https://a.example/?${query}\nhttps://b.example/ü?${query}`,
    ],
  ])('has UTM parameters in the links of %j', (text, tagged) => {
    expect(taggedText(text, utm)).toBe(tagged);
  });

  it('keeps the parameters that a link already has', () => {
    expect(taggedText('https://a.example/?utm_source=own', utm)).toBe(
      'https://a.example/?utm_source=own&utm_medium=it%27s%20%28on%29',
    );
  });

  it.each(['No link', 'www.a.example/x', 'ada@a.example', 'ftp://a.example/x', 'https://'])(
    'leaves %j unchanged',
    (text) => {
      expect(taggedText(text, utm)).toBe(text);
    },
  );

  it('leaves links unchanged if there are no parameters', () => {
    expect(taggedText('https://a.example/x', { utmSource: null })).toBe('https://a.example/x');
  });
});
