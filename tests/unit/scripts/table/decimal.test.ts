import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  addNumbers,
  compareNumbers,
  normalizeNumber,
  sortableNumber,
} from '#scripts/dev/table/decimal.ts';

const digits38 = '12345678901234567890123456789012345678';

describe('normalizeNumber', () => {
  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['0.00', '0'],
    ['+5', '5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['00012', '12'],
    ['1.50', '1.5'],
    ['-1e2', '-100'],
    ['1E-10', '0.0000000001'],
    ['12.5e1', '125'],
    [digits38, digits38],
    [`${digits38}00`, `${digits38}00`],
    ['1e-130', `0.${'0'.repeat(129)}1`],
    ['9.9e125', `99${'0'.repeat(124)}`],
  ])('turns %s into %s', (text, normalized) => {
    expect(normalizeNumber(text)).toBe(normalized);
  });

  test.each([
    ['', 'numeric'],
    ['abc', 'numeric'],
    [' 1', 'numeric'],
    ['1e', 'numeric'],
    ['0x1', 'numeric'],
    ['.', 'numeric'],
    ['Infinity', 'numeric'],
    [`${digits38}9`, '38 significant digits'],
    [`0.${digits38}9`, '38 significant digits'],
    ['1e126', 'overflow'],
    ['-1e126', 'overflow'],
    ['1e-131', 'underflow'],
  ])('rejects "%s"', (text, reason) => {
    expect(() => normalizeNumber(text)).toThrow(reason);
  });
});

/** Numbers of up to 16 digits with similar magnitudes, so that a sum has at most 38 digits. */
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }), fc.integer({ min: -10, max: 10 }))
  .map(([size, power]) => ({ size, power, text: normalizeNumber(`${size}e${power}`) }));

/** Returns the number as an integer, in a unit that is small enough for all numbers. */
function exact({ size, power }: { readonly size: bigint; readonly power: number }): bigint {
  return size * 10n ** BigInt(power + 10);
}

describe('addNumbers', () => {
  it('is exact', () => {
    fc.assert(
      fc.property(decimals, decimals, (one, other) => {
        const sum = exact(one) + exact(other);

        expect(addNumbers(one.text, other.text)).toBe(normalizeNumber(`${sum}e-10`));
      }),
    );
  });

  test.each([
    ['0.1', '0.2', '0.3'],
    ['9007199254740991', '1', '9007199254740992'],
    ['99999999999999999999999999999999999999', '1', `1${'0'.repeat(38)}`],
    ['1.5', '-1.5', '0'],
    ['1', '-1', '0'],
  ])('adds %s and %s to %s', (one, other, sum) => {
    expect(addNumbers(one, other)).toBe(sum);
  });

  test.each([
    [digits38, '0.1'],
    ['1e37', '1e-5'],
  ])('rejects the sum of %s and %s, which has too many digits', (one, other) => {
    expect(() => addNumbers(normalizeNumber(one), normalizeNumber(other))).toThrow('38');
  });
});

describe('compareNumbers and sortableNumber', () => {
  it('orders numbers by size', () => {
    fc.assert(
      fc.property(decimals, decimals, (one, other) => {
        const [left, right] = [exact(one), exact(other)];
        const order = left === right ? 0 : left < right ? -1 : 1;
        const texts = [sortableNumber(one.text), sortableNumber(other.text)] as const;

        expect(Math.sign(compareNumbers(one.text, other.text))).toBe(order);
        expect(Math.sign(texts[0] < texts[1] ? -1 : Number(texts[0] > texts[1]))).toBe(order);
      }),
    );
  });

  it('orders numbers that differ only in the last of 38 digits', () => {
    expect(compareNumbers(digits38, `${digits38.slice(0, -1)}9`)).toBeLessThan(0);
  });
});
