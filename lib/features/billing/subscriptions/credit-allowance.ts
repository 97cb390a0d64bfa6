import { findOrganizationOfCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import {
  AlreadyInLedgerError,
  addCredits,
  BalanceMissingError,
} from '#lib/features/billing/ledger/ledger.ts';
import { idOfEvent } from '#lib/platform/ids.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { type Invoice, readInvoice } from '#lib/vendors/stripe/invoices.ts';
import type { PaymentEvent } from '#schemas/payment-event.ts';
import { findPlan, type Plan } from './plans.ts';

/**
 * Adds a plan's monthly credits for a paid invoice, exactly once per invoice. For an upgrade, adds
 * the difference of the monthly credits. A free trial grants no credits.
 */
export async function creditAllowance({ objectId }: PaymentEvent): Promise<void> {
  const invoice = await readInvoice(objectId);
  if (invoice) {
    await creditInvoice(invoice);
  }
}

/**
 * Returns the id of the ledger entry for a paid invoice: the upgrade's id, or an id derived from
 * the invoice.
 */
export function allowanceId({ id, upgrade }: Invoice, paidAt: string): string {
  return upgrade?.changeId ?? idOfEvent(`invoice ${id}`, Date.parse(paidAt));
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
  invoice: Invoice,
): Promise<void> {
  const { id, paidCents, upgrade } = invoice;
  const plan = requireKnown(planId);
  const credited = upgrade ? requireKnown(upgrade.previousPlanId).monthlyCredits : 0;
  const entry = {
    id: allowanceId(invoice, paidAt),
    type: 'subscription_credit',
    credits: Math.max(0, plan.monthlyCredits - credited),
    amountCents: paidCents,
    description: `${upgrade ? 'Credits of the upgrade to' : 'Monthly credits of'} ${plan.name}`,
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

function requireKnown(planId: string): Plan {
  const plan = findPlan(planId);
  if (!plan) {
    throw new Error(`The plan ${planId} has been paid for, and is in the catalogue no more`);
  }

  return plan;
}
