import { describe, expect, test } from 'vitest';
import { itemSize, numberSize, valueSize } from '#scripts/dev/table/item-size.ts';

describe('itemSize, numberSize, and valueSize', () => {
  test('counts the UTF-8 bytes of names and values', () => {
    // pk 2 + abc 3, naïve 6 + é€ 5
    expect(itemSize({ pk: { S: 'abc' }, naïve: { S: 'é€' } })).toBe(16);
  });

  test('returns 0 for a missing item', () => {
    expect(itemSize(undefined)).toBe(0);
  });

  test.each([
    ['0', 1],
    ['7', 2],
    ['12', 2],
    ['123', 3],
    ['-123', 3],
    ['12300', 3],
    ['0.0012', 2],
    ['1.50', 2],
    ['1E+20', 2],
    ['12345678901234567890123456789012345678', 20],
  ])('counts the number %s as %i bytes', (text, bytes) => {
    expect(numberSize(text)).toBe(bytes);
  });

  test.each([
    ['a string', { S: 'four' }, 4],
    ['an empty string', { S: '' }, 0],
    ['binary, in raw bytes', { B: Buffer.from('five!').toString('base64') }, 5],
    ['a boolean', { BOOL: false }, 1],
    ['a null', { NULL: true }, 1],
    ['an empty list', { L: [] }, 3],
    ['an empty map', { M: {} }, 3],
    ['a list, with a byte for each element', { L: [{ S: 'ab' }, { BOOL: true }] }, 3 + 3 + 2],
    ['a map, with names and a byte for each element', { M: { key: { S: 'ab' } } }, 3 + 6],
    ['a nested map', { M: { a: { M: { b: { N: '1' } } } } }, 3 + 2 + 3 + 2 + 2],
    ['a set of strings', { SS: ['a', 'bcd'] }, 4],
    ['a set of numbers', { NS: ['1', '123'] }, 5],
    ['a set of binaries', { BS: [Buffer.from('xyz').toString('base64')] }, 3],
  ])('counts the bytes of %s', (_name, value, bytes) => {
    expect(valueSize(value)).toBe(bytes);
  });
});
