import { listInvoices as listPage, presentInvoice } from '#lib/billing/list-invoices.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listInvoices } from '#schemas/billing-subscription.ts';

export const handler = endpoint(listInvoices, async ({ organizationId, query }) => {
  const { invoices, hasMore } = await listPage(organizationId, query);

  return {
    invoices: invoices.map(presentInvoice),
    hasMore,
    message: 'Invoices retrieved successfully',
  };
});
