import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '#lib/platform/plain-text.ts';

describe('plainText', () => {
  it.each([
    ['**Price:** 5 €', 'Price: 5 €'],
    ['small *or* large, _really_ __so__', 'small or large, really so'],
    ['***bold italic***, ~~50 €~~ 40 €', 'bold italic, 50 € 40 €'],
    ['# Sizes #\n## 1. Overview', 'Sizes\n1. Overview'],
    ['Sizes\n=====\nS', 'Sizes\nS'],
    ['a\n\n---\n\nb', 'a\n\nb'],
    ['> quote\n> more', 'quote\nmore'],
    ['* a\n  + b\n- c', '- a\n  - b\n- c'],
    ['`npm i`, ```x```', 'npm i, x'],
    ['```js\nconst a = **b**;\n```\nend', 'const a = **b**;\nend'],
    ['5\\*3 snake\\_case\\\nline', '5*3 snake_case\nline'],
    ['one<br>two<br/>three', 'one\ntwo\nthree'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a: b\n1: 2'],
    ['a | b | c\n-|-|-\n1 | | 3', 'a: b, c\n1: 3'],
    ['**Price:**5 €, **价格：**5元', 'Price:5 €, 价格：5元'],
    ['这是**重点**和*强调*内容', '这是重点和强调内容'],
  ])('removes the marks of %j', (markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });

  it.each([
    ['[Shop](https://a.example/x_y_z "t")', 'Shop: https://a.example/x_y_z'],
    ['**[Shop:](https://a.example)**.', 'Shop: https://a.example.'],
    ['[a.example](https://a.example/)', 'https://a.example/'],
    ['![Logo](https://a.example/l.png)', 'Logo: https://a.example/l.png'],
    ['![](https://a.example/l.png)', 'https://a.example/l.png'],
    ['<https://a.example>', 'https://a.example'],
    ['[Mail](mailto:a@b.example), [call](tel:+49123)', 'Mail: a@b.example, call: +49123'],
    ['[Map](maps.example/x) [top](#top)', 'Map: maps.example/x top'],
    ['[Shop][1]\n\n[1]: https://a.example', 'Shop: https://a.example\n\n'],
  ])('writes the link %j with its address', (markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });

  it.each([
    '2 * 3 * 4 = 24, 2*3*4, 2**3**4, 10*5cm and 20*30cm',
    'snake_case_name, SAVE_10_NOW, f(**kwargs) and g(**x)',
    '#hashtag #sale, #️⃣1️⃣, *️⃣',
    'Kund*innen und Partner*innen',
    '¯\\_(ツ)_/¯ (*^_^*) *_* ^_^ >_< -_-',
    '> 18 years, 5 € - 10 €, ~5 min ~6',
    '+49 170 123\n+ 5 € shipping\n- 5 €',
    '1986. A great year\n1. One\n2) Two',
    '[Update]: open again, [1](2), [ ] todo',
    'https://example.com/_foo_/*bar*?a_b=c_d&e=*f* and a_b_c@d.example',
    'it`s 5 o`clock, I <3 you & me; a < b > c &amp;',
    'Mo-Fr 9-18 | Sa 10-14',
    'Price* without VAT. *VAT 19 %',
    'Two\n\n\nempty lines,  two spaces  \nand a tab\t',
    '* * *',
    '#',
    '',
  ])('leaves the plain text %j', (text) => {
    expect(plainText(text)).toBe(text);
  });

  it('never fails, and never adds marks', () => {
    const mark = fc.constantFrom(
      '*',
      '**',
      '_',
      '`',
      '#',
      ' ',
      '\n',
      '|',
      '-',
      '[a](b.example)',
      '>',
    );
    const word = fc.constantFrom(
      'word',
      '5',
      'a_b',
      '。',
      '🍕',
      '(',
      ')',
      '\\',
      'https://a.example',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(mark, word), { maxLength: 60 }), (parts) => {
        const stars = (text: string) => text.replaceAll(/[^*_`#|>]/g, '').length;

        expect(stars(plainText(parts.join('')))).toBeLessThanOrEqual(stars(parts.join('')));
      }),
    );
  });

  // Shorter texts are in bounded-work.test.ts.
  it('parses long texts in parts, because the time for one can grow with its square', () => {
    const timeOf = (length: number) => {
      const text = '**a'.repeat(length / 3);
      const { user: before } = process.threadCpuUsage();
      plainText(text);

      return process.threadCpuUsage().user - before;
    };
    timeOf(3_999);
    const ofOnePart = Math.max(timeOf(3_999), timeOf(3_999));

    expect(timeOf(4 * 3_999)).toBeLessThan(8 * ofOnePart);
  });
});
