import { now } from '#lib/clock.ts';
import type { Balance } from './balance.ts';
import { dollarsOf } from './money.ts';

const defaultThreshold = 100;
const defaultAmountCents = 2_500;

/** How auto-refill is shown. */
export function presentAutoRefill(balance: Balance) {
  const pausedUntil = balance.refillPausedUntil;
  const isPaused =
    balance.refillEnabled === true && pausedUntil !== undefined && Date.parse(pausedUntil) > now();

  return {
    enabled: balance.refillEnabled ?? false,
    threshold: balance.refillThreshold ?? defaultThreshold,
    amount: dollarsOf(balance.refillAmountCents ?? defaultAmountCents),
    monthlyCap: balance.refillCapCents === undefined ? null : dollarsOf(balance.refillCapCents),
    lastRefill: balance.lastRefillAt ?? null,
    nextRefill: isPaused ? pausedUntil : null,
  };
}
