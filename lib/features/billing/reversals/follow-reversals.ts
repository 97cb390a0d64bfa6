import { findOrganizationOfCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import type { LedgerEntry } from '#lib/features/billing/ledger/ledger.ts';
import { followPaymentState } from '#lib/features/billing/payments/record-payment-outcome.ts';
import {
  allowanceId,
  creditInvoice,
} from '#lib/features/billing/subscriptions/credit-allowance.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { readInvoice } from '#lib/vendors/stripe/invoices.ts';
import { readPayment } from '#lib/vendors/stripe/payments.ts';
import { findInvoiceOfPayment } from '#lib/vendors/stripe/reversals.ts';
import type { PaymentEvent } from '#schemas/payment-event.ts';
import { applyReversals } from './apply-reversals.ts';
import type { Grant } from './reversal-record.ts';

/**
 * Takes back the credits of a payment that was refunded or is disputed, and returns them if the
 * dispute is won. Events only contain the id of the changed payment. If the payment granted no
 * credits, does nothing.
 */
export async function followReversals({ paymentIntentId }: PaymentEvent): Promise<void> {
  const grant = paymentIntentId ? await findGrant(paymentIntentId) : undefined;
  if (grant) {
    await applyReversals(grant);
  }
}

async function findGrant(intentId: string): Promise<Grant | undefined> {
  const payment = await readPayment(intentId);
  const { organizationId, paymentId } = payment ?? {};
  if (!payment) {
    return undefined;
  }

  return organizationId && paymentId
    ? findGrantOfPayment(organizationId, paymentId, intentId)
    : findGrantOfInvoice(intentId);
}

/** Credits the payment first if it has not been credited, because events arrive in any order. */
async function findGrantOfPayment(
  organizationId: string,
  paymentId: string,
  intentId: string,
): Promise<Grant | undefined> {
  const find = async () => {
    const entries = await getMany<LedgerEntry>([
      billingKeys.ledgerEntry(organizationId, 'credit_purchase', paymentId),
      billingKeys.ledgerEntry(organizationId, 'auto_refill', paymentId),
    ]);

    return entries.find((entry) => entry?.reference === intentId);
  };
  const known = await find();
  if (!known) {
    await followPaymentState(organizationId, paymentId, intentId);
  }

  return grantOf(organizationId, intentId, known ?? (await find()));
}

async function findGrantOfInvoice(intentId: string): Promise<Grant | undefined> {
  const invoiceId = await findInvoiceOfPayment(intentId);
  const invoice = invoiceId ? await readInvoice(invoiceId) : undefined;
  const { customerId, paidAt } = invoice ?? {};
  const organizationId = customerId ? await findOrganizationOfCustomer(customerId) : undefined;
  if (!invoice || !organizationId || !paidAt) {
    return undefined;
  }
  const key = billingKeys.ledgerEntry(
    organizationId,
    'subscription_credit',
    allowanceId(invoice, paidAt),
  );
  const find = async () => {
    const entry = await get<LedgerEntry>(key);

    return entry?.reference === invoice.id ? entry : undefined;
  };
  const known = await find();
  if (!known) {
    await creditInvoice(invoice);
  }

  return grantOf(organizationId, intentId, known ?? (await find()));
}

function grantOf(
  organizationId: string,
  intentId: string,
  entry: LedgerEntry | undefined,
): Grant | undefined {
  const { credits = 0, amountCents = 0 } = entry ?? {};

  return amountCents > 0 ? { organizationId, intentId, credits, amountCents } : undefined;
}
