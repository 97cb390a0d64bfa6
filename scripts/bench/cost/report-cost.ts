import type { Golden } from '#scripts/bench/golden/golden.ts';
import { readGolden } from '#scripts/bench/golden/golden-file.ts';
import type { Section } from '#scripts/bench/section.ts';
import { type Column, formatTable } from '#scripts/bench/table.ts';

/** USD for a million units on demand: public list prices of US East of 2026-11-21. */
const readPrice = 0.125;
const writePrice = 0.625;
const organizations = 1_000;
const days = 30;

type Units = { readonly readUnits: number; readonly writeUnits: number };
/**
 * What happens in an organization on a day: calls of functions, or what the golden file does not
 * say; a full page of leads is in docs/data-model.md.
 */
type Load = { readonly what: string; readonly times: number } & (
  | { readonly functions: readonly string[] }
  | ({ readonly from: 'assumed' | 'data-model.md' } & Units)
);

const load: readonly Load[] = [
  { what: 'a page of leads', times: 20, from: 'data-model.md', readUnits: 52, writeUnits: 0 },
  { what: 'another read', times: 80, functions: ['get-lead'] },
  { what: 'a change by a person', times: 20, functions: ['update-lead'] },
  { what: 'a message', times: 50, functions: ['receive-network-events', 'inbound-events'] },
  { what: 'who answers it', times: 50, functions: ['reply-planning'] },
  { what: 'a new lead', times: 10, functions: ['create-lead-with-contact'] },
  { what: 'an answer of the agent', times: 30, functions: ['replies'] },
  { what: 'a post', times: 2, functions: ['create-content-post', 'content-publishing'] },
  { what: 'a click', times: 100, functions: ['follow-bio-link'] },
  { what: 'figures of an account', times: 48, functions: ['account-snapshot'] },
  { what: 'its schedule', times: 48, from: 'assumed', readUnits: 0, writeUnits: 5 },
  { what: 'metrics of three requests', times: 90, from: 'assumed', readUnits: 0, writeUnits: 7 },
];

type Row = Units & {
  readonly what: string;
  readonly times: number | undefined;
  readonly from: string;
};

const columns: ReadonlyArray<Column<Row>> = [
  { title: 'of one organization, a day', value: ({ what }) => what },
  { title: 'times', value: ({ times }) => times ?? '' },
  { title: 'read units', value: ({ readUnits }) => readUnits, digits: 1 },
  { title: 'write units', value: ({ writeUnits }) => writeUnits, digits: 1 },
  { title: 'units of one are', value: ({ from }) => from },
];

/** What the table costs a month, from the golden file's units and the load that is assumed. */
export function costOf(golden: Golden): { readonly rows: readonly Row[]; readonly usd: number } {
  const rows = load.map((one): Row => {
    const { what, times } = one;
    const unit =
      'from' in one
        ? one
        : { readUnits: sum(golden, one, 'readUnits'), writeUnits: sum(golden, one, 'writeUnits') };

    return {
      what,
      times,
      readUnits: times * unit.readUnits,
      writeUnits: times * unit.writeUnits,
      from: 'from' in one ? one.from : 'measured',
    };
  });
  const readUnits = rows.reduce((total, row) => total + row.readUnits, 0);
  const writeUnits = rows.reduce((total, row) => total + row.writeUnits, 0);
  const usd =
    (organizations * days * (readUnits * readPrice + writeUnits * writePrice)) / 1_000_000;

  return {
    rows: [...rows, { what: 'together', times: undefined, readUnits, writeUnits, from: '' }],
    usd,
  };
}

/** @throws where the golden file does not have a function: a cost without it would be too low. */
function sum(
  { functions }: Golden,
  load: { readonly functions: readonly string[] },
  unit: 'readUnits' | 'writeUnits',
): number {
  return load.functions.reduce((total, name) => {
    const units = functions[name]?.[unit];
    if (units === undefined) {
      throw new Error(`The golden file has no ${unit} of ${name}`);
    }

    return total + units;
  }, 0);
}

/** `npm run bench -- cost`: nothing is measured anew. */
export function reportCost(): Section {
  const golden = readGolden();
  if (!golden) {
    throw new Error('There is no golden file: npm run bench -- --renew writes it');
  }
  const { rows, usd } = costOf(golden);
  const bill = `${organizations} organizations, ${days} days, at ${readPrice} and ${writePrice} USD a million read and write units: ${usd.toFixed(2)} USD`;

  return {
    title: 'What calls of the table cost a month, from the units of the golden file',
    text: `${formatTable(rows, columns)}\n\n${bill}`,
    misses: [],
    figures: {},
  };
}
