import { listEntries, presentEntry } from '#lib/features/billing/usage/list-entries.ts';
import { rangeProblems } from '#lib/features/billing/usage/time-range.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { ledgerTypes, listLedger } from '#schemas/billing.ts';

export const handler = endpoint(
  listLedger,
  async ({ organizationId, query }) => {
    const { from, to, ...request } = query;
    const filters = { types: ledgerTypes, from, to };
    const { items, pagination, balance } = await listEntries(organizationId, filters, request);

    return {
      entries: items.map(presentEntry),
      balance: balance.credits,
      pagination,
    };
  },
  { rules: ({ query }) => rangeProblems(query.from, query.to) },
);
