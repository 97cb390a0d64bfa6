import { listInvoices, presentInvoice } from '#lib/billing/list-invoices.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import * as contracts from '#schemas/billing-subscription.ts';

export const handler = endpoint(contracts.listInvoices, async ({ organizationId, query }) => {
  const { invoices, hasMore } = await listInvoices(organizationId, query);

  return {
    invoices: invoices.map(presentInvoice),
    hasMore,
    message: 'Invoices retrieved successfully',
  };
});
