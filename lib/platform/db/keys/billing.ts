import { type Key, type KeyRange, tenant } from './key.ts';

export const billingKeys = {
  billing: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'BILLING' }),
  /** What an organization has subscribed to, or is about to. */
  subscription: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'SUBSCRIPTION',
  }),
  /** Held while an organization's billing is being set up. */
  billingSetup: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'BILLING_SETUP',
  }),
  /** The credits of an organization, and how they are refilled. */
  balance: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'BALANCE' }),
  /** Credits that are held for a reply until it is sent or given up. */
  creditReservation: (organizationId: string, replyId: string): Key => ({
    pk: tenant(organizationId),
    sk: `RESERVATION#${replyId}`,
  }),
  /** What the ledger's entries of one day add up to. */
  usageDay: (organizationId: string, date: string): Key => ({
    pk: tenant(organizationId),
    sk: `USAGE#${date}`,
  }),
  /** Entries have a partition of their own: they outlive the organization. */
  ledgerEntry: (organizationId: string, type: string, entryId: string): Key => ({
    pk: ledger(organizationId),
    sk: `${type}#${entryId}`,
  }),
  /** A payment that the provider is or was asked for; it outlives the organization until settled. */
  payment: (organizationId: string, paymentId: string): Key => ({
    pk: `${tenant(organizationId)}#PAYMENT#${paymentId}`,
    sk: 'PAYMENT',
  }),
  /** Each event of the payment provider is taken once. */
  paymentEvent: (eventId: string): Key => ({ pk: `PAYMENT_EVENT#${eventId}`, sk: 'CLAIM' }),
  customerClaim: (customerId: string): Key => ({ pk: `CUSTOMER#${customerId}`, sk: 'CLAIM' }),
};

export const billingRanges = {
  /** The ledger's entries of one type between two ids, both included. */
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

/** Whether a key is that of an organization's subscription. */
export function isSubscriptionKey({ sk }: Key): boolean {
  return sk === 'SUBSCRIPTION';
}
