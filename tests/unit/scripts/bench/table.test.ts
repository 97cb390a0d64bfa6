import { expect, test } from 'vitest';
import { median, quantile } from '#scripts/bench/statistics.ts';
import { formatTable } from '#scripts/bench/table.ts';

test('formatTable aligns names left and numbers right, and shows n/a for missing values', () => {
  const rows = [
    { name: 'get-lead', bytes: 1_234_567, ms: 1.25 },
    { name: 'due-work', bytes: 999, ms: undefined },
  ];

  expect(
    formatTable(rows, [
      { title: 'function', value: ({ name }) => name },
      { title: 'bytes', value: ({ bytes }) => bytes },
      { title: 'ms', value: ({ ms }) => ms, digits: 3 },
    ]),
  ).toBe(
    [
      'function      bytes     ms',
      '--------  ---------  -----',
      'get-lead  1,234,567  1.250',
      'due-work        999    n/a',
    ].join('\n'),
  );
});

test('formatTable uses no thousands separator in a fraction', () => {
  const [, , line] = formatTable(
    [1234.5678],
    [{ title: 'metric', value: (metric) => metric, digits: 4 }],
  ).split('\n');

  expect(line).toBe('1,234.5678');
});

test('the median of an even number of values is the lower middle one', () => {
  expect(median([4, 1, 3, 2])).toBe(2);
  expect(median([3, 1, 2])).toBe(2);
});

test('a quantile is one of the measured values', () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 1);

  expect(quantile(values, 0.95)).toBe(95);
  expect(quantile([7], 0.95)).toBe(7);
});

test('the median of no values throws an error', () => {
  expect(() => median([])).toThrow('no values');
});
