import { type Key, type KeyRange, tenant } from './key.ts';

export const billingKeys = {
  billing: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'BILLING' }),
  subscription: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'SUBSCRIPTION',
  }),
  /** A lock held while billing is being set up. */
  billingSetup: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'BILLING_SETUP',
  }),
  balance: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'BALANCE' }),
  /** Credits reserved for a reply until it is sent or canceled. */
  creditReservation: (organizationId: string, replyId: string): Key => ({
    pk: tenant(organizationId),
    sk: `RESERVATION#${replyId}`,
  }),
  /** The refunds and disputes of a payment, by payment intent id. */
  reversal: (organizationId: string, intentId: string): Key => ({
    pk: tenant(organizationId),
    sk: `REVERSAL#${intentId}`,
  }),
  /** Counts the welcome credits that were given for a card. */
  cardWelcomes: (cardHash: string): Key => ({ pk: `CARD#${cardHash}`, sk: 'WELCOMES' }),
  /** The sums of one day's ledger entries. */
  usageDay: (organizationId: string, date: string): Key => ({
    pk: tenant(organizationId),
    sk: `USAGE#${date}`,
  }),
  /** In a separate partition, because ledger entries outlive the organization. */
  ledgerEntry: (organizationId: string, type: string, entryId: string): Key => ({
    pk: ledger(organizationId),
    sk: `${type}#${entryId}`,
  }),
  /** A requested payment. It outlives the organization until it is resolved. */
  payment: (organizationId: string, paymentId: string): Key => ({
    pk: `${tenant(organizationId)}#PAYMENT#${paymentId}`,
    sk: 'PAYMENT',
  }),
  /** Deduplicates the payment provider's events. */
  paymentEvent: (eventId: string): Key => ({ pk: `PAYMENT_EVENT#${eventId}`, sk: 'CLAIM' }),
  customerClaim: (customerId: string): Key => ({ pk: `CUSTOMER#${customerId}`, sk: 'CLAIM' }),
};

export const billingRanges = {
  ledgerEntries: (
    organizationId: string,
    type: string,
    fromId: string,
    toId: string,
  ): KeyRange => ({
    pk: ledger(organizationId),
    from: `${type}#${fromId}`,
    to: `${type}#${toId}`,
  }),
  usageDays: (organizationId: string, fromDate: string, toDate: string): KeyRange => ({
    pk: tenant(organizationId),
    from: billingKeys.usageDay(organizationId, fromDate).sk,
    to: billingKeys.usageDay(organizationId, toDate).sk,
  }),
};

function ledger(organizationId: string): string {
  return `${tenant(organizationId)}#LEDGER`;
}

export function isSubscriptionKey({ sk }: Key): boolean {
  return sk === 'SUBSCRIPTION';
}
