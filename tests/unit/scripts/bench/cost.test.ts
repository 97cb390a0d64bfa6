import { expect, test } from 'vitest';
import { costOf } from '#scripts/bench/cost/report-cost.ts';
import { readGolden } from '#scripts/bench/golden/golden-file.ts';

const golden = { node: '', functions: {}, ...readGolden() };

test('costOf calculates the monthly cost from the golden file', () => {
  const { rows, usd } = costOf(golden);
  const together = rows.at(-1);
  const millions = (units = 0) => (units * 30 * 1_000) / 1_000_000;

  expect(usd).toBeCloseTo(
    millions(together?.readUnits) * 0.125 + millions(together?.writeUnits) * 0.625,
  );
  expect(rows.find(({ what }) => what === 'other read')?.readUnits).toBe(
    80 * Number(golden.functions['get-lead']?.readUnits),
  );
});

test('costOf throws for a function without metrics', () => {
  const { 'get-lead': _, ...others } = golden.functions;

  expect(() => costOf({ ...golden, functions: others })).toThrow('get-lead');
});
