import { expect, test } from 'vitest';
import { floodBills } from '#scripts/bench/cost/flood-bill.ts';
import { monthlyBill } from '#scripts/bench/cost/monthly-bill.ts';
import { reportCost } from '#scripts/bench/cost/report-cost.ts';
import { costOf } from '#scripts/bench/cost/table-cost.ts';
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

test('every line of the monthly bill has a quantity and a price', () => {
  const lines = monthlyBill(golden);
  const usdOf = (name: string) => lines.find(({ what }) => what === name)?.usd ?? 0;

  expect(lines.filter(({ quantity, usd }) => !(quantity > 0 && usd > 0))).toEqual([]);
  expect(usdOf('DynamoDB, writes') + usdOf('DynamoDB, reads')).toBeCloseTo(costOf(golden).usd);
});

test('the monthly bill follows the measured metrics', () => {
  const writes = (of: typeof golden) => monthlyBill(of)[0]?.usd ?? 0;
  const replies = { ...golden.functions.replies, writeUnits: 1_000 };
  const dearer = { ...golden, functions: { ...golden.functions, replies } };

  expect(writes(dearer)).toBeGreaterThan(writes(golden));
});

test('the report names the region of its prices', () => {
  expect(reportCost().text).toContain('us-east-1');
});

test('no client can cause a bill above 10 USD in an hour, and no tenant one above 100', () => {
  for (const { what, usd } of floodBills(golden)) {
    expect(usd, what).toBeGreaterThan(0);
    expect(usd, what).toBeLessThan(what.startsWith('a tenant') ? 100 : 10);
  }
});
