import { requireBillingAccount } from '#lib/features/billing/account/billing-account.ts';
import { dollarsOf } from '#lib/features/billing/money.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { type Invoice, listInvoicesOf } from '#lib/vendors/stripe/invoices.ts';
import { NoSuchThing } from '#lib/vendors/stripe/payment-failures.ts';

export type InvoicePage = {
  readonly limit: number;
  readonly startingAfter?: string | undefined;
};

/**
 * The invoices of an organization, as the provider has them.
 *
 * @throws 404 where billing has not been set up, 400 for a `startingAfter` that is no invoice of
 *   the organization's, 502.
 */
export async function listInvoices(organizationId: string, { limit, startingAfter }: InvoicePage) {
  const { customerId } = await requireBillingAccount(organizationId);
  try {
    return await listInvoicesOf(customerId, limit, startingAfter);
  } catch (failure) {
    throw failure instanceof NoSuchThing
      ? badRequest('startingAfter must be the id of an invoice of this organization')
      : failure;
  }
}

/** How an invoice is shown. */
export function presentInvoice({ amountCents, number, ...invoice }: Invoice) {
  const { id, status, currency, periodStart, periodEnd } = invoice;

  return {
    id,
    number: number ?? null,
    status,
    amount: dollarsOf(amountCents),
    currency,
    periodStart,
    periodEnd,
    dueDate: invoice.dueDate ?? null,
    paidAt: invoice.paidAt ?? null,
    downloadUrl: invoice.downloadUrl ?? null,
  };
}
