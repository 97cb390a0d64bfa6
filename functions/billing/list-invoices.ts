import { listInvoices, presentInvoice } from '#lib/features/billing/subscriptions/list-invoices.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/billing-subscription.ts';

export const handler = endpoint(contracts.listInvoices, async ({ organizationId, query }) => {
  const { invoices, hasMore, total } = await listInvoices(organizationId, query);

  return {
    invoices: invoices.map(presentInvoice),
    hasMore,
    total,
  };
});
