import { requireBillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import { dollarsOf } from '#lib/features/billing/money.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { countInvoicesOf, type Invoice, listInvoicesOf } from '#lib/vendors/stripe/invoices.ts';
import { ResourceMissingError } from '#lib/vendors/stripe/payment-errors.ts';
import type * as contracts from '#schemas/billing-subscription.ts';
import type { QueryOf } from '#schemas/contract.ts';

export type InvoicePage = QueryOf<typeof contracts.listInvoices>;

/**
 * Returns a page of the organization's invoices from the provider, and their total number.
 *
 * @throws 404 if billing is not set up, 400 if `startingAfter` is not an invoice of the
 * organization, 502 if the provider is unavailable.
 */
export async function listInvoices(organizationId: string, { limit, startingAfter }: InvoicePage) {
  const { customerId } = await requireBillingCustomer(organizationId);
  try {
    const page = await listInvoicesOf(customerId, limit, startingAfter);
    const isWhole = startingAfter === undefined && !page.hasMore;

    return { ...page, total: isWhole ? page.invoices.length : await countInvoicesOf(customerId) };
  } catch (failure) {
    throw failure instanceof ResourceMissingError
      ? badRequest('startingAfter must be the id of an invoice of this organization')
      : failure;
  }
}

export function presentInvoice(invoice: Invoice) {
  return { ...invoice, amount: dollarsOf(invoice.amountCents) };
}
