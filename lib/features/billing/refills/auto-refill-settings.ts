import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { dollarsOf } from '#lib/features/billing/money.ts';
import { now } from '#lib/platform/clock.ts';

/** In credits. */
export const defaultThreshold = 100;
export const defaultAmountCents = 2_500;

/** The default monthly cap, as a number of refills. */
export const defaultCapRefills = 20;

/** Returns the maximum cost of refills in a calendar month. */
export function monthlyCapCents({ refillCapCents, refillAmountCents }: Balance): number {
  return refillCapCents ?? defaultCapRefills * (refillAmountCents ?? defaultAmountCents);
}

export function presentAutoRefill(balance: Balance) {
  const pausedUntil = balance.refillPausedUntil;
  const isPaused =
    balance.refillEnabled && pausedUntil !== undefined && Date.parse(pausedUntil) > now();

  return {
    enabled: balance.refillEnabled,
    threshold: balance.refillThreshold ?? defaultThreshold,
    amount: dollarsOf(balance.refillAmountCents ?? defaultAmountCents),
    monthlyCap: dollarsOf(monthlyCapCents(balance)),
    lastRefill: balance.lastRefillAt,
    nextRefill: isPaused ? pausedUntil : null,
  };
}
