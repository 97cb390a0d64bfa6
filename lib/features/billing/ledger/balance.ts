import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { create, type Write } from '#lib/platform/db/write.ts';
import type { LedgerType } from '#schemas/billing.ts';

/** How many ledger entries there are of a type: `entries_usage` and so on. */
export type EntryCounts = { readonly [Type in LedgerType as `entries_${Type}`]?: number };

/** When credits are bought by themselves, and how that stands. */
export type AutoRefill = {
  readonly refillEnabled: boolean;
  /** In credits: below it, a refill begins. */
  readonly refillThreshold?: number;
  readonly refillAmountCents?: number;
  /** What refills may cost in a calendar month. */
  readonly refillCapCents?: number;
  readonly refillState: 'IDLE' | 'IN_FLIGHT';
  /** Counts refills; each is charged under its own number. */
  readonly refillSeq: number;
  /** When the last one began, whatever became of it. */
  readonly refillStartedAt?: string;
  /** When the last one succeeded. */
  readonly lastRefillAt?: string;
  readonly refillMonth?: string;
  /** What refills have cost in that month. */
  readonly refillMonthCents?: number;
  /** How often in a row the card was refused. */
  readonly refillDeclines?: number;
  readonly refillPausedUntil?: string;
  /** The month and the cap of which the owners have been told that it stops refills. */
  readonly refillCapTold?: string;
};

/**
 * An organization's credits. `credits` is the sum of the ledger. `available` is what of it is not
 * held for replies on their way: it is what debits are checked against, and never below zero.
 */
export type Balance = EntryCounts &
  AutoRefill & {
    readonly organizationId: string;
    readonly credits: number;
    readonly available: number;
    readonly updatedAt: string;
    /** When campaigns' receivers were told that few or no credits are left, since some came in. */
    readonly lowToldAt?: string;
    readonly exhaustedToldAt?: string;
  };

/** The balance of an organization whose billing is being set up. */
export function openBalance(organizationId: string, credits: number, counts: EntryCounts): Write {
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
