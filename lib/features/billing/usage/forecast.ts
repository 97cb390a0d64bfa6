import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { dollarsOf } from '#lib/features/billing/money.ts';
import { listNetworkCosts } from '#lib/features/network-costs/network-costs.ts';
import { dayMs, now } from '#lib/platform/clock.ts';
import { readUsageDays, sumOfDays } from './usage-days.ts';

/** The number of days to average over, including today. The same for younger organizations. */
const averagedDays = 14;

/** Projects credit usage from its recent average, and returns this month's network costs. */
export async function forecastCredits({ organizationId, credits }: Balance) {
  const today = Math.floor(now() / dayMs) * dayMs;
  const { startMs, endMs, month } = monthOf(today);
  const recentMs = today - (averagedDays - 1) * dayMs;
  const [days, networkCosts] = await Promise.all([
    readUsageDays(organizationId, {
      fromMs: Math.min(startMs, recentMs),
      untilMs: today + dayMs,
    }),
    listNetworkCosts(organizationId, month),
  ]);
  const usedSince = (fromMs: number) =>
    0 -
    sumOfDays(
      days.filter(({ sk }) => dateIn(sk) >= fromMs),
      'credits_usage',
    );
  const creditsPerDay = usedSince(recentMs) / averagedDays;
  const remainingDays = (endMs - today) / dayMs - 1;
  const projected = Math.round(usedSince(startMs) + creditsPerDay * remainingDays);
  const daysLeft = creditsPerDay > 0 ? credits / creditsPerDay : null;

  return {
    creditsPerDay: roundTo(creditsPerDay, 2),
    daysLeft: daysLeft === null ? null : roundTo(daysLeft, 1),
    emptyAt: daysLeft === null ? null : new Date(now() + daysLeft * dayMs).toISOString(),
    projectedCreditsThisMonth: projected,
    projectedCostUsd: dollarsOf(projected),
    networkCosts,
  };
}

function monthOf(today: number) {
  const date = new Date(today);
  const startOf = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset);

  return { startMs: startOf(0), endMs: startOf(1), month: date.toISOString().slice(0, 7) };
}

/** Returns the day of a usage item, in milliseconds since the epoch. */
function dateIn(sk: string): number {
  return Date.parse(sk.slice(sk.indexOf('#') + 1));
}

function roundTo(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
