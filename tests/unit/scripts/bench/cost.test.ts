import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { floodBills } from '#scripts/bench/cost/flood-bill.ts';
import { idleBill } from '#scripts/bench/cost/idle-bill.ts';
import { monthlyBill } from '#scripts/bench/cost/monthly-bill.ts';
import { reportCost } from '#scripts/bench/cost/report-cost.ts';
import { costOf } from '#scripts/bench/cost/table-cost.ts';
import { readGolden } from '#scripts/bench/golden/golden-file.ts';
import { projectPath } from '#scripts/project.ts';

const operations = readFileSync(projectPath('docs/operations.md'), 'utf8');
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

const totalOf = (lines: ReturnType<typeof idleBill>) =>
  lines.reduce((sum, { usd }) => sum + usd, 0);

test('an idle stage costs what operations.md says', () => {
  const lines = idleBill(golden);
  const [, documented] = /\| a stage that nobody uses \| about (\d+):/.exec(operations) ?? [];

  expect(Math.abs(totalOf(lines) / Number(documented) - 1)).toBeLessThan(0.05);
  expect(lines.map(({ what }) => what)).toContain('SQS, polling of queues');
});

test('1,000 organizations cost what operations.md says', () => {
  const [, documented] = /\| 1,000 organizations \| about (\d+):/.exec(operations) ?? [];

  expect(Math.abs(totalOf(monthlyBill(golden)) / Number(documented) - 1)).toBeLessThan(0.1);
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
