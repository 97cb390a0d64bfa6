import { listEntries, presentEntry } from '#lib/features/billing/usage/list-entries.ts';
import { rangeProblems } from '#lib/features/billing/usage/time-range.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listTransactions, transactionTypes } from '#schemas/billing.ts';

export const handler = endpoint(
  listTransactions,
  async ({ organizationId, query }) => {
    const { type, from, to, ...request } = query;
    const types = type ? [type] : transactionTypes;
    const { items, pagination } = await listEntries(organizationId, { types, from, to }, request);

    return {
      transactions: items.map(presentEntry),
      pagination,
    };
  },
  { rules: ({ query }) => rangeProblems(query.from, query.to) },
);
