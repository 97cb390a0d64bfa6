import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromLittleText, toLittleText } from '#lib/vendors/networks/linkedin/little-text.ts';
import { render } from '#packages/sandbox/src/services/networks/linkedin/publishing-routes.ts';

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
  ['https://a.example/Rust_(x)#Part', 'https://a.example/Rust\\_\\(x\\)\\#Part'],
  ['https://a.example/?tab=#part', 'https://a.example/?tab=\\#part'],
  ['www.a.example?x=[1]#part.', 'www.a.example?x=\\[1\\]\\#part.'],
  ['münchen.example/-#Über, #ja', 'münchen.example/-\\#Über, {hashtag|\\#|ja}'],
  ['https://例え.テスト/a.#部分、#次', 'https://例え.テスト/a.\\#部分、{hashtag|\\#|次}'],
  ['(https://a.example/x)#news', '\\(https://a.example/x\\){hashtag|\\#|news}'],
  ['https://a.example/x.\n#news', 'https://a.example/x.\n{hashtag|\\#|news}'],
  ['https://a.example/@ada @ada', 'https://a.example/\\@ada \\@ada'],
  ['so -#news .#more ]#still', 'so -{hashtag|\\#|news} .{hashtag|\\#|more} \\]{hashtag|\\#|still}'],
])('toLittleText escapes %j as %j', (text, expected) => {
  expect(toLittleText(text)).toBe(expected);
});

test('fromLittleText returns the displayed text of mentions and hashtags', () => {
  expect(fromLittleText('Hi @[Ada \\(CTO\\)](urn:li:person:1), {hashtag|#|ai} \\*')).toBe(
    'Hi Ada (CTO), #ai *',
  );
});
