import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromLittleText, toLittleText } from '#lib/vendors/networks/linkedin/little-text.ts';
import { render } from '#scripts/sandbox/services/networks/linkedin/publishing-routes.ts';

const marked = fc.string({
  unit: fc.constantFrom(...'\\|{}@[]()<>#*_~', 'a', 'ß', '1', ' ', '\n', '😀', 'hashtag'),
});

test('any text is rendered and parsed back unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(marked, fc.string({ unit: 'grapheme' })), (text) => {
      expect(render(toLittleText(text))).toBe(text);
      expect(fromLittleText(toLittleText(text))).toBe(text);
    }),
  );
});

test.each([
  ['#news', '{hashtag|\\#|news}'],
  ['(#Größe_2)', '\\({hashtag|\\#|Größe\\_2}\\)'],
  ['C# #1 a#b ##x', 'C\\# \\#1 a\\#b \\#\\#x'],
  ['https://example.com/#part', 'https://example.com/\\#part'],
])('toLittleText escapes %j as %j', (text, expected) => {
  expect(toLittleText(text)).toBe(expected);
});

test('fromLittleText returns the displayed text of mentions and hashtags', () => {
  expect(fromLittleText('Hi @[Ada \\(CTO\\)](urn:li:person:1), {hashtag|#|ai} \\*')).toBe(
    'Hi Ada (CTO), #ai *',
  );
});
