import { describe, expect, it } from 'vitest';
import { readDocument } from '#lib/features/knowledge/reading/read-document.ts';
import { decodings } from '#lib/features/knowledge/reading/text-encoding.ts';
import type { DocumentType } from '#schemas/knowledge.ts';

const delivery = 'Доставка';
const inCp1251 = Buffer.from([0xc4, 0xee, 0xf1, 0xf2, 0xe0, 0xe2, 0xea, 0xe0]);
const inUtf16 = Buffer.from(`${delivery} 24 h\n`, 'utf16le');

/** ASCII text before and after bytes in another charset. */
function page(before: string, bytes: Buffer = inCp1251, after = '</p>'): Buffer {
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
}

describe('readDocument', () => {
  it.each<readonly [string, Buffer, DocumentType, string | undefined]>([
    ['what the server says', page('<p>'), 'text/html', 'windows-1251'],
    ['an alias of it', page('<p>'), 'text/html', 'CP1251'],
    [
      'what the server says, whatever a meta element says',
      page('<meta charset="koi8-r"><p>'),
      'text/html',
      'windows-1251',
    ],
    ['a meta element', page('<meta charset=windows-1251><p>'), 'text/html', undefined],
    ['one in quotes', page(`<META charset='cp1251' /><p>`), 'text/html', undefined],
    [
      'an old meta element',
      page(
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head><p>',
      ),
      'text/html',
      undefined,
    ],
    [
      'an XML declaration',
      page('<?xml version="1.0" encoding="windows-1251"?><html><p>'),
      'text/html',
      undefined,
    ],
    [
      'a meta element after a comment about another',
      page(`<!-- <meta charset="utf-8"> ${'-'.repeat(1_100)}--><meta charset="cp1251"><p>`),
      'text/html',
      undefined,
    ],
    [
      'the first meta element that names a charset',
      page('<meta charset="none"><meta charset="cp1251"><meta charset="koi8-r"><p>'),
      'text/html',
      undefined,
    ],
    [
      'a meta element, if the server is wrong',
      page('<meta charset="windows-1251"><p>'),
      'text/html',
      'utf-8',
    ],
    [
      'the bytes, if a meta element cannot be right',
      page('<meta charset="utf-16"><p>', Buffer.from(delivery)),
      'text/html',
      undefined,
    ],
    [
      'the bytes, if the server names no charset that exists',
      page('', Buffer.from(delivery), ''),
      'text/plain',
      'binary',
    ],
    [
      'a byte order mark, whatever the server says',
      page('\ufeff', Buffer.from(delivery), ''),
      'text/markdown',
      'iso-8859-1',
    ],
    ['UTF-16 without a mark', inUtf16, 'text/plain', undefined],
    ['UTF-16 the other way round', Buffer.from(inUtf16).swap16(), 'text/plain', 'utf-16'],
    ['UTF-16 with markup', Buffer.from(`<p>${delivery}</p>`, 'utf16le'), 'text/html', undefined],
    [
      'UTF-8 that was cut',
      Buffer.from(`${delivery.repeat(2)}д`).subarray(0, -1),
      'text/plain',
      undefined,
    ],
  ])('decodes by %s', async (_, bytes, type, charset) => {
    expect(await readDocument(bytes, type, charset)).toContain(delivery);
  });

  it('decodes a text as windows-1252 if it is not valid UTF-8', async () => {
    const bytes = Buffer.from([0x93, 0x63, 0x61, 0x66, 0xe9, 0x94, 0x20, 0x80, 0x35]);

    expect(await readDocument(bytes, 'text/plain')).toBe('“café” €5');
  });

  it('reads Japanese', async () => {
    const bytes = page('<meta charset="Shift_JIS"><p>', Buffer.from('93fa967b8cea', 'hex'));

    expect(await readDocument(bytes, 'text/html')).toContain('日本語');
  });

  it.each([
    ['one charset', ['utf-8']],
    ['many charsets', ['utf-8', 'gb18030', 'big5', 'euc-kr', 'shift_jis', 'koi8-r']],
  ])('decodes a document with many declarations of %s a few times at most', (_, charsets) => {
    const declarations = charsets.map((charset) => `<meta charset=${charset}>`).join('');
    const bytes = page(declarations.repeat(30));

    expect([...decodings(bytes, 'text/html', 'utf-8')].length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['that is not in the announced charset', page('<p>'), 'text/html', 'utf-8'],
    [
      'in the charset of no declaration',
      page('<meta charset="utf-8"><p>'),
      'text/html',
      'gb18030x',
    ],
  ] as const)('rejects a text %s', async (_, bytes, type, charset) => {
    await expect(readDocument(bytes, type, charset)).rejects.toThrow(
      'The text cannot be decoded in the character encoding that it announces',
    );
  });

  it.each([
    [1, 20],
    [10, 1_000],
  ])(
    'accepts %i of %i characters that cannot be decoded, and rejects one more',
    async (lost, length) => {
      const withLost = (count: number) =>
        Buffer.concat([Buffer.alloc(length - count, 'a'), Buffer.alloc(count, 0xa9)]);
      const text = await readDocument(withLost(lost), 'text/plain', 'utf-8');

      expect(text).toBe('a'.repeat(length - lost) + '\ufffd'.repeat(lost));
      await expect(readDocument(withLost(lost + 1), 'text/plain', 'utf-8')).rejects.toThrow(
        'The text cannot be decoded in the character encoding that it announces',
      );
    },
  );

  it.each([
    ['binary data', Buffer.from([0, 1, 2, 0, 0, 3, 4, 0])],
    ['a text with one NUL', page('We open at nine. '.repeat(10), Buffer.from([0]))],
  ])('rejects %s', async (_, bytes) => {
    await expect(readDocument(bytes, 'text/plain')).rejects.toThrow('The file is not text');
  });

  it('rejects more text than an organization may have', async () => {
    await expect(readDocument(Buffer.alloc(6_000_001, 'a'), 'text/plain')).rejects.toThrow(
      'The file has too much text',
    );
  });
});
