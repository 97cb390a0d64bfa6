import { dollarsOf } from '#lib/features/billing/money.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import type { Reversals } from '#lib/vendors/stripe/reversals.ts';

/** The credits that a payment granted. */
export type Grant = {
  readonly organizationId: string;
  readonly intentId: string;
  readonly credits: number;
  readonly amountCents: number;
};

/**
 * The refunds and disputes of a payment, as last read from the provider, and the credits that were
 * taken back for them.
 */
export type Reversal = Reversals & {
  readonly organizationId: string;
  readonly intentId: string;
  readonly reversedCredits: number;
  /** Incremented on every change, so that older state cannot overwrite newer state. */
  readonly version: number;
};

export const noReversal: Reversals & Pick<Reversal, 'reversedCredits' | 'version'> = {
  refundedCents: 0,
  disputedCents: 0,
  isDisputed: false,
  reversedCredits: 0,
  version: 0,
};

export function reversalKey({ organizationId, intentId }: Grant) {
  return billingKeys.reversal(organizationId, intentId);
}

/** Returns the cents taken back, at most the amount of the payment. */
export function reversedCents(
  { amountCents }: Grant,
  { refundedCents, disputedCents }: Reversals,
): number {
  return Math.min(amountCents, refundedCents + disputedCents);
}

/** Returns the credits that were bought with the reversed share, rounded down to whole credits. */
export function creditsToReverse(grant: Grant, reversals: Reversals): number {
  return Math.floor((grant.credits * reversedCents(grant, reversals)) / grant.amountCents);
}

/** Describes a change for the ledger. */
export function describeReversal(before: Reversals, after: Reversals): string {
  const disputed = after.disputedCents - before.disputedCents;
  if (disputed !== 0) {
    return disputed > 0
      ? `Dispute of ${inDollars(disputed)}`
      : `Dispute of ${inDollars(-disputed)} won`;
  }
  const refunded = after.refundedCents - before.refundedCents;

  return refunded > 0
    ? `Refund of ${inDollars(refunded)}`
    : `Refund of ${inDollars(-refunded)} failed`;
}

function inDollars(cents: number): string {
  return `${dollarsOf(cents).toFixed(2)} USD`;
}
