import { between, inTenant, type Key, key, tenant } from './key.ts';

export const billingKeys = {
  billing: (organizationId: string) => inTenant(organizationId, 'BILLING'),
  subscription: (organizationId: string) => inTenant(organizationId, 'SUBSCRIPTION'),
  /** A lock held while billing is being set up. */
  billingSetup: (organizationId: string) => inTenant(organizationId, 'BILLING_SETUP'),
  balance: (organizationId: string) => inTenant(organizationId, 'BALANCE'),
  /** Credits reserved for a reply until it is sent or canceled. */
  creditReservation: (organizationId: string, replyId: string) =>
    inTenant(organizationId, `RESERVATION#${replyId}`),
  /** The refunds and disputes of a payment, by payment intent id. */
  reversal: (organizationId: string, intentId: string) =>
    inTenant(organizationId, `REVERSAL#${intentId}`),
  /** Counts the welcome credits that were given for a card. */
  cardWelcomes: (cardHash: string) => key(`CARD#${cardHash}`, 'WELCOMES'),
  /** The sums of one day's ledger entries. */
  usageDay: (organizationId: string, date: string) => inTenant(organizationId, `USAGE#${date}`),
  /** In a separate partition, because ledger entries outlive the organization. */
  ledgerEntry: (organizationId: string, type: string, entryId: string) =>
    key(ledger(organizationId), `${type}#${entryId}`),
  /** A requested payment. It outlives the organization until it is resolved. */
  payment: (organizationId: string, paymentId: string) =>
    key(`${tenant(organizationId)}#PAYMENT#${paymentId}`, 'PAYMENT'),
  /** Deduplicates the payment provider's events. */
  paymentEvent: (eventId: string) => key(`PAYMENT_EVENT#${eventId}`, 'CLAIM'),
  customerClaim: (customerId: string) => key(`CUSTOMER#${customerId}`, 'CLAIM'),
};

export const billingRanges = {
  ledgerEntries: (organizationId: string, type: string, fromId: string, toId: string) =>
    between(ledger(organizationId), `${type}#${fromId}`, `${type}#${toId}`),
  usageDays: (organizationId: string, fromDate: string, toDate: string) =>
    between(
      tenant(organizationId),
      billingKeys.usageDay(organizationId, fromDate).sk,
      billingKeys.usageDay(organizationId, toDate).sk,
    ),
};

function ledger(organizationId: string): string {
  return `${tenant(organizationId)}#LEDGER`;
}

export function isSubscriptionKey({ sk }: Key): boolean {
  return sk === 'SUBSCRIPTION';
}
