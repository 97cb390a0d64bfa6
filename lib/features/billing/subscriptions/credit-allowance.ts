import { findOrganizationOfCustomer } from '#lib/features/billing/account/billing-account.ts';
import { findPlan } from '#lib/features/billing/account/plans.ts';
import {
  AlreadyInLedgerError,
  addCredits,
  BalanceMissingError,
} from '#lib/features/billing/ledger/ledger.ts';
import type { PaymentEvent } from '#lib/features/billing/payment-event.ts';
import { idOfEvent } from '#lib/platform/ids.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { type Invoice, readInvoice } from '#lib/vendors/stripe/invoices.ts';

/**
 * Credits a plan's monthly credits for a paid invoice, exactly once per invoice. A free trial
 * grants no credits.
 */
export async function creditAllowance({ objectId }: PaymentEvent): Promise<void> {
  const invoice = await readInvoice(objectId);
  if (invoice) {
    await creditInvoice(invoice);
  }
}

/** The id of the ledger entry for a paid invoice. */
export function allowanceId(invoiceId: string, paidAt: string): string {
  return idOfEvent(`invoice ${invoiceId}`, Date.parse(paidAt));
}

export async function creditInvoice(invoice: Invoice): Promise<void> {
  const { planId, customerId, paidAt, paidCents, status } = invoice;
  if (!planId || !customerId || !paidAt || status !== 'paid' || paidCents === 0) {
    return;
  }
  const organizationId = await findOrganizationOfCustomer(customerId);
  if (organizationId) {
    await credit(organizationId, planId, paidAt, invoice);
  }
}

async function credit(
  organizationId: string,
  planId: string,
  paidAt: string,
  { id, paidCents }: Invoice,
): Promise<void> {
  const plan = findPlan(planId);
  if (!plan) {
    throw new Error(`The plan ${planId} has been paid for, and is in the catalogue no more`);
  }
  const entry = {
    id: allowanceId(id, paidAt),
    type: 'subscription_credit',
    credits: plan.monthlyCredits,
    amountCents: paidCents,
    description: `Monthly credits of ${plan.name}`,
    reference: id,
  } as const;
  try {
    await addCredits(organizationId, entry);
  } catch (failure) {
    if (failure instanceof BalanceMissingError) {
      logger.warn('An invoice of an organization that is gone was paid', { invoiceId: id });
    } else if (!(failure instanceof AlreadyInLedgerError)) {
      throw failure;
    }
  }
}
