import { dayMs } from '#lib/platform/clock.ts';
import { billingRanges } from '#lib/platform/db/keys/billing.ts';
import { query } from '#lib/platform/db/read.ts';
import { firstIdAt } from '#lib/platform/ids.ts';
import type { LedgerType } from '#schemas/billing.ts';
import { dateOf, type TimeRange } from './time-range.ts';

export type UsageDay = { readonly sk: string } & Readonly<Record<string, unknown>>;

/** Returns the days in the range that have entries. */
export function readUsageDays(
  organizationId: string,
  { fromMs, untilMs }: TimeRange,
): Promise<readonly UsageDay[]> {
  return query(billingRanges.usageDays(organizationId, dateOf(fromMs), dateOf(untilMs - 1)));
}

export function sumOfDays(days: readonly UsageDay[], attribute: string): number {
  return days.reduce((sum, day) => sum + Number(day[attribute] ?? 0), 0);
}

/**
 * Counts the entries of these types in a range, exactly. Uses daily totals for whole days, and
 * counts individual entries for partial days at either end.
 */
export async function countEntries(
  organizationId: string,
  types: readonly LedgerType[],
  { fromMs, untilMs }: TimeRange,
): Promise<number> {
  const firstDayMs = Math.ceil(fromMs / dayMs) * dayMs;
  const endOfDaysMs = Math.floor(untilMs / dayMs) * dayMs;
  if (firstDayMs >= endOfDaysMs) {
    return countOneByOne(organizationId, types, { fromMs, untilMs });
  }
  const [days, before, after] = await Promise.all([
    readUsageDays(organizationId, { fromMs: firstDayMs, untilMs: endOfDaysMs }),
    countOneByOne(organizationId, types, { fromMs, untilMs: firstDayMs }),
    countOneByOne(organizationId, types, { fromMs: endOfDaysMs, untilMs }),
  ]);

  return types.reduce((sum, type) => sum + sumOfDays(days, `entries_${type}`), before + after);
}

async function countOneByOne(
  organizationId: string,
  types: readonly LedgerType[],
  { fromMs, untilMs }: TimeRange,
): Promise<number> {
  if (fromMs >= untilMs) {
    return 0;
  }
  const found = await Promise.all(
    types.map((type) =>
      query(
        billingRanges.ledgerEntries(organizationId, type, firstIdAt(fromMs), firstIdAt(untilMs)),
        {
          keysOnly: true,
        },
      ),
    ),
  );

  return found.reduce((sum, keysFound) => sum + keysFound.length, 0);
}
