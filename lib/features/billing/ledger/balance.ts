import { timestamp } from '#lib/platform/clock.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import type { LedgerType } from '#schemas/billing.ts';

/** Number of ledger entries per type, for example `entries_usage`. */
export type EntryCounts = { readonly [Type in LedgerType as `entries_${Type}`]?: number };

/** The auto-refill settings and their current state. */
export type AutoRefill = {
  readonly refillEnabled: boolean;
  /** In credits. A refill starts when the balance falls below it. */
  readonly refillThreshold?: number;
  readonly refillAmountCents?: number;
  /** Maximum cost of refills per calendar month. */
  readonly refillCapCents?: number;
  readonly refillState: 'IDLE' | 'IN_FLIGHT';
  /** Counts refills. Each refill is charged under its own number. */
  readonly refillSeq: number;
  /** When the last refill started, regardless of its outcome. */
  readonly refillStartedAt?: string;
  readonly lastRefillAt?: string;
  readonly refillMonth?: string;
  readonly refillMonthCents?: number;
  readonly refillDeclines?: number;
  readonly refillPausedUntil?: string;
  /** The month and cap for which the owners were notified that refills have stopped. */
  readonly refillCapTold?: string;
};

/**
 * An organization's credits. `credits` is the sum of the ledger and never negative. `available` is
 * `credits` minus the credits reserved for pending replies and minus the debt, so it is negative
 * while the debt is larger. Debits are checked against `available`.
 */
export type Balance = EntryCounts &
  AutoRefill & {
    readonly organizationId: string;
    readonly credits: number;
    readonly available: number;
    /** Reversed credits that were already used. Repaid by the next credits. Absent if zero. */
    readonly debt?: number;
    /** Number of payments with an open dispute. Auto-refill waits for them. */
    readonly openDisputes?: number;
    readonly updatedAt: string;
  } & Partial<Readonly<Record<CreditMark, string>>>;

/** The last time when an event or the emails about low credits were sent. */
export type CreditMark = 'lowToldAt' | 'lowMailedAt' | 'exhaustedToldAt' | 'exhaustedMailedAt';

/** Clears the marks when credits are added, so that all notifications are sent again. */
export const clearedMarks = {
  lowToldAt: null,
  lowMailedAt: null,
  exhaustedToldAt: null,
  exhaustedMailedAt: null,
} as const satisfies Record<CreditMark, null>;

/** Creates an organization's balance. An existing balance is kept. */
export function planBalance(organizationId: string, credits: number, counts: EntryCounts): Write {
  return change(billingKeys.balance(organizationId), {
    set: {
      organizationId,
      updatedAt: timestamp(),
      refillEnabled: false,
      refillState: 'IDLE',
      refillSeq: 0,
    },
    add: { credits, available: credits, ...counts },
    orCreate: true,
  });
}
