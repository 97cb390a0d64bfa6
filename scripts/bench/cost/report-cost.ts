import { readGolden } from '#scripts/bench/golden/golden-file.ts';
import type { Section } from '#scripts/bench/section.ts';
import { type Column, formatTable } from '#scripts/bench/table.ts';
import type { MonthlyLine } from './bill-lines.ts';
import { type Flood, floodBills } from './flood-bill.ts';
import { idleBill } from './idle-bill.ts';
import { monthlyBill } from './monthly-bill.ts';
import { usEast } from './prices.ts';
import { costOf, days, organizations, type Row } from './table-cost.ts';

const columns: ReadonlyArray<Column<Row>> = [
  { title: 'per organization and day', value: ({ what }) => what },
  { title: 'count', value: ({ times }) => times ?? '' },
  { title: 'read units', value: ({ readUnits }) => readUnits, digits: 1 },
  { title: 'write units', value: ({ writeUnits }) => writeUnits, digits: 1 },
  { title: 'source', value: ({ from }) => from },
];

const monthlyColumns = (title: string): ReadonlyArray<Column<MonthlyLine>> => [
  { title, value: ({ what }) => what },
  { title: 'quantity', value: ({ quantity }) => quantity, digits: 1 },
  { title: 'unit', value: ({ unit }) => unit },
  { title: 'USD', value: ({ usd }) => usd, digits: 2 },
];

const floodColumns: ReadonlyArray<Column<Flood>> = [
  { title: 'the highest bill in an hour', value: ({ what }) => what },
  { title: 'requests', value: ({ requests }) => requests },
  { title: 'USD', value: ({ usd }) => usd, digits: 2 },
];

/** `npm run bench -- cost`: uses the golden file without measuring anything. */
export function reportCost(): Section {
  const golden = readGolden();
  if (!golden) {
    throw new Error('The golden file does not exist. Create it with npm run bench -- --renew');
  }
  const { rows } = costOf(golden);
  const lines = monthlyBill(golden);
  const idle = idleBill(golden);
  const prices = `${days} days, at the list prices of ${usEast.region}`;

  return {
    title: 'Monthly cost, based on the metrics in the golden file',
    text: [
      formatTable(rows, columns),
      formatTable(lines, monthlyColumns('service, per month')),
      `${organizations} organizations, ${prices}: ${totalOf(lines)} USD`,
      formatTable(idle, monthlyColumns('idle service, per month')),
      `no organizations, ${prices}: ${totalOf(idle)} USD`,
      formatTable(floodBills(golden), floodColumns),
    ].join('\n\n'),
    misses: [],
    metrics: {},
  };
}

function totalOf(lines: readonly MonthlyLine[]): string {
  return lines.reduce((sum, { usd }) => sum + usd, 0).toFixed(2);
}
