import { dollarsOf } from '#lib/features/billing/money.ts';
import { now } from '#lib/platform/clock.ts';
import { readUsageDays, sumOfDays, type UsageDay } from './usage-days.ts';

/** Compares the current calendar month (UTC) with the previous one, using one query. */
export async function compareCreditsUsed(organizationId: string) {
  const today = new Date(now());
  const monthMs = (offset: number) =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + offset);
  const days = await readUsageDays(organizationId, { fromMs: monthMs(-1), untilMs: monthMs(1) });
  const currentPeriod = periodOf(days, monthMs(0), monthMs(1));
  const previousPeriod = periodOf(days, monthMs(-1), monthMs(0));

  return {
    currentPeriod,
    previousPeriod,
    trends: {
      messagesChange: changeOf(previousPeriod.messagesSent, currentPeriod.messagesSent),
      costChange: changeOf(previousPeriod.creditsUsed, currentPeriod.creditsUsed),
    },
  };
}

function periodOf(days: readonly UsageDay[], fromMs: number, untilMs: number) {
  const startDate = new Date(fromMs).toISOString();
  const endDate = new Date(untilMs - 1).toISOString();
  const month = startDate.slice(0, 7);
  const ofMonth = days.filter(({ sk }) => sk.includes(`#${month}-`));
  const creditsUsed = Math.abs(sumOfDays(ofMonth, 'credits_usage'));

  return {
    startDate,
    endDate,
    messagesSent: sumOfDays(ofMonth, 'entries_usage'),
    creditsUsed,
    cost: dollarsOf(creditsUsed),
  };
}

/**
 * Formats the relative change, for example `+12.5%`, `-3.0%` or `0.0%`. From zero, any increase is
 * `+100.0%`.
 */
export function changeOf(before: number, after: number): string {
  const percent = before === 0 ? Math.sign(after) * 100 : ((after - before) / before) * 100;
  const digits = Math.abs(percent).toFixed(1);
  const sign = digits === '0.0' ? '' : percent < 0 ? '-' : '+';

  return `${sign}${digits}%`;
}
