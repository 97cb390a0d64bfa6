import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { create, type Write } from '#lib/platform/db/write.ts';
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
 * what is left of it without the credits reserved for pending replies and without the debt, so it
 * is negative while the debt is larger. Debits are checked against `available`.
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
    /** When `credits.low` was last sent. Cleared when credits are added. */
    readonly lowToldAt?: string;
    readonly exhaustedToldAt?: string;
  };

/** Creates the balance of an organization whose billing is being set up. */
export function planBalance(organizationId: string, credits: number, counts: EntryCounts): Write {
  const balance: Balance = {
    organizationId,
    credits,
    available: credits,
    updatedAt: timestamp(),
    refillEnabled: false,
    refillState: 'IDLE',
    refillSeq: 0,
    ...counts,
  };

  return create(keys.balance(organizationId), balance);
}
