import type Stripe from 'stripe';
import { ResourceMissingError } from './payment-errors.ts';
import { callProvider } from './stripe-client.ts';
import { planMetadata } from './subscriptions.ts';

export type Invoice = {
  readonly id: string;
  readonly customerId: string | undefined;
  readonly number: string | undefined;
  readonly status: string;
  readonly amountCents: number;
  readonly paidCents: number;
  readonly currency: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly dueDate: string | undefined;
  readonly paidAt: string | undefined;
  readonly downloadUrl: string | undefined;
  /** Our plan, if the invoice is for a subscription period or an upgrade. */
  readonly planId: string | undefined;
  /** Our change of plan, if the invoice is for the rest of a period after an upgrade. */
  readonly upgrade?: { readonly changeId: string; readonly previousPlanId: string };
};

const isoOf = (seconds: number | null) =>
  seconds === null ? undefined : new Date(seconds * 1_000).toISOString();

/**
 * Returns a page of a customer's invoices, newest first, without drafts.
 *
 * @throws ResourceMissingError if `startingAfter` is not an invoice of the customer.
 */
export async function listInvoicesOf(
  customerId: string,
  limit: number,
  startingAfter: string | undefined,
): Promise<{ readonly invoices: readonly Invoice[]; readonly hasMore: boolean }> {
  const { data, has_more: hasMore } = await callProvider((stripe) =>
    stripe.invoices.list({
      customer: customerId,
      limit,
      ...(startingAfter === undefined ? {} : { starting_after: startingAfter }),
    }),
  );
  const written = data.filter(isWritten);

  return { invoices: written.map(invoiceOf), hasMore };
}

/** Drafts may still change, so customers don't see them. */
function isWritten({ status }: Stripe.Invoice): boolean {
  return status !== 'draft';
}

/** Returns the number of a customer's invoices, without drafts. Stripe's lists have no total. */
export async function countInvoicesOf(customerId: string): Promise<number> {
  return callProvider(async (stripe) => {
    let total = 0;
    for await (const invoice of stripe.invoices.list({ customer: customerId, limit: 100 })) {
      total += isWritten(invoice) ? 1 : 0;
    }

    return total;
  });
}

/** Returns the invoice, or `undefined` if it does not exist. */
export async function readInvoice(invoiceId: string): Promise<Invoice | undefined> {
  try {
    return invoiceOf(await callProvider((stripe) => stripe.invoices.retrieve(invoiceId)));
  } catch (failure) {
    if (failure instanceof ResourceMissingError) {
      return undefined;
    }
    throw failure;
  }
}

/**
 * Pays an invoice with a card now. The provider charges an invoice only once.
 *
 * @throws CardDeclinedError, also if the card needs authentication; 502.
 */
export async function payInvoice(invoiceId: string, paymentMethodId: string): Promise<void> {
  await callProvider((stripe) =>
    stripe.invoices.pay(invoiceId, { payment_method: paymentMethodId }),
  );
}

/** Billing reasons of subscription periods. */
const reasonsOfPeriods: ReadonlySet<string | null> = new Set([
  'subscription_create',
  'subscription_cycle',
]);

function invoiceOf(invoice: Stripe.Invoice): Invoice {
  const { customer, lines, status_transitions: times, parent } = invoice;
  const { period } = lines.data[0] ?? {};
  const metadata = parent?.subscription_details?.metadata ?? {};
  const isPeriod = reasonsOfPeriods.has(invoice.billing_reason);
  const upgrade = invoice.billing_reason === 'subscription_update' && upgradeOf(metadata);

  return {
    id: invoice.id ?? '',
    customerId: (typeof customer === 'string' ? customer : customer?.id) ?? undefined,
    number: invoice.number ?? undefined,
    status: invoice.status ?? 'open',
    amountCents: invoice.total,
    paidCents: invoice.amount_paid,
    currency: invoice.currency.toUpperCase(),
    periodStart: new Date((period?.start ?? invoice.period_start) * 1_000).toISOString(),
    periodEnd: new Date((period?.end ?? invoice.period_end) * 1_000).toISOString(),
    dueDate: isoOf(invoice.due_date),
    paidAt: isoOf(times.paid_at),
    downloadUrl: invoice.invoice_pdf ?? undefined,
    planId: isPeriod || upgrade ? metadata[planMetadata.next] : undefined,
    ...(upgrade ? { upgrade } : {}),
  };
}

function upgradeOf(metadata: Stripe.Metadata): Invoice['upgrade'] {
  const changeId = metadata[planMetadata.changeId];
  const previousPlanId = metadata[planMetadata.previous];

  return changeId && previousPlanId ? { changeId, previousPlanId } : undefined;
}
