import type { Golden } from '#scripts/bench/golden/golden.ts';
import { counterUnits } from './flood-bill.ts';
import { usEast } from './prices.ts';

export const organizations = 1_000;
export const days = 30;

export type Units = { readonly readUnits: number; readonly writeUnits: number };
/**
 * The daily load of an organization: function calls, or units that are not in the golden file. For
 * a full page of leads, see docs/data-model.md.
 */
export type Load = { readonly what: string; readonly times: number } & (
  | { readonly functions: readonly string[] }
  | ({ readonly from: 'assumed' | 'data-model.md' | 'limits' } & Units)
);

export const load: readonly Load[] = [
  { what: 'list leads', times: 20, from: 'data-model.md', readUnits: 52, writeUnits: 0 },
  { what: 'other read', times: 80, functions: ['get-lead'] },
  { what: 'change by a user', times: 20, functions: ['update-lead'] },
  { what: 'customer message', times: 50, functions: ['receive-network-events', 'inbound-events'] },
  { what: 'reply planning', times: 50, functions: ['reply-planning'] },
  { what: 'new lead', times: 10, functions: ['create-lead-with-contact'] },
  { what: 'agent reply', times: 30, functions: ['replies'] },
  { what: 'published post', times: 2, functions: ['create-content-post', 'content-publishing'] },
  { what: 'link click', times: 100, functions: ['follow-bio-link'] },
  { what: 'account statistics', times: 48, functions: ['account-snapshot'] },
  { what: 'account schedule', times: 48, from: 'assumed', readUnits: 0, writeUnits: 5 },
  { what: 'metrics of three requests', times: 90, from: 'assumed', readUnits: 0, writeUnits: 7 },
  { what: 'request counters', times: 120, from: 'limits', readUnits: 0, writeUnits: counterUnits },
];

export type Row = Units & {
  readonly what: string;
  readonly times: number | undefined;
  readonly from: string;
};

/** Calculates DynamoDB's monthly cost from the golden file's units and the assumed load. */
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
    organizations * days * (readUnits * usEast.readUnits + writeUnits * usEast.writeUnits);

  return {
    rows: [...rows, { what: 'total', times: undefined, readUnits, writeUnits, from: '' }],
    usd,
  };
}

/** @throws if the golden file lacks a function, because the result would be too low. */
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
