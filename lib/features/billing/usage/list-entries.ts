import {
  type BillingCustomer,
  requireBilling,
} from '#lib/features/billing/customer/billing-customer.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import type { LedgerEntry } from '#lib/features/billing/ledger/ledger.ts';
import { currency, dollarsOf } from '#lib/features/billing/money.ts';
import { billingRanges } from '#lib/platform/db/keys/billing.ts';
import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import type { Page } from '#lib/platform/db/lists/list.ts';
import { listMergedPage, mergeNewestFirst } from '#lib/platform/db/lists/sharded-list.ts';
import { query } from '#lib/platform/db/read.ts';
import { firstIdAt } from '#lib/platform/ids.ts';
import type { LedgerType } from '#schemas/billing.ts';
import { rangeOf } from './time-range.ts';
import { countEntries } from './usage-days.ts';

export type EntryFilters = {
  readonly types: readonly LedgerType[];
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** Maximum page size of a query. */
const maxPage = 1_000;

/**
 * Returns a page of the ledger, newest first, with the exact number of matching entries.
 *
 * @throws 404 if billing is not set up.
 */
export async function listEntries(
  organizationId: string,
  { types, from, to }: EntryFilters,
  request: PageRequest,
): Promise<Page<LedgerEntry> & { readonly customer: BillingCustomer; readonly balance: Balance }> {
  const range = rangeOf(from, to);
  const [fromId, toId] = [firstIdAt(range.fromMs), firstIdAt(range.untilMs)];
  const billing = requireBilling(organizationId);
  const total =
    from === undefined && to === undefined
      ? billing.then(({ balance }) => entriesOf(balance, types))
      : countEntries(organizationId, types, range);
  const [page, { customer, balance }] = await Promise.all([
    listMergedPage<LedgerEntry>(
      (pageSize, before) =>
        mergeNewestFirst(
          types.map((type) =>
            entriesBelow(organizationId, type, { fromId, toId, before }, pageSize),
          ),
        ),
      request,
      total,
    ),
    billing,
  ]);

  return { ...page, customer, balance };
}

function entriesOf(balance: Balance, types: readonly LedgerType[]): number {
  return types.reduce((sum, type) => sum + (balance[`entries_${type}`] ?? 0), 0);
}

type Span = {
  readonly fromId: string;
  readonly toId: string;
  /** The id at which the previous page ended. */
  readonly before: string | undefined;
};

/** Yields the entries of one type, newest first, and queries only as needed. */
async function* entriesBelow(
  organizationId: string,
  type: LedgerType,
  { fromId, toId, before }: Span,
  pageSize: number,
): AsyncGenerator<LedgerEntry, void, undefined> {
  const limit = Math.min(maxPage, pageSize + 1);
  let upTo = before !== undefined && before < toId ? before : toId;
  while (upTo > fromId) {
    const range = billingRanges.ledgerEntries(organizationId, type, fromId, upTo);
    const entries = await query<LedgerEntry>(range, { newestFirst: true, limit });
    yield* entries.filter(({ id }) => id < upTo);
    const last = entries.at(-1);
    if (!last || entries.length < limit) {
      return;
    }
    upTo = last.id;
  }
}

export function presentEntry(entry: LedgerEntry) {
  return {
    ...entry,
    amount: dollarsOf(entry.amountCents ?? 0),
    currency,
    status: 'succeeded' as const,
  };
}
