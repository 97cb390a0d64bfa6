import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';

const maxDays = 366;
const defaultDays = 30;

export type DayRange = { readonly from: string; readonly to: string };

function dayOf(value: string): string {
  return new Date(value).toISOString().slice(0, 10);
}

/**
 * Returns the requested range of days, both inclusive. Defaults to the last 30 days.
 *
 * @throws 400 if the range ends before it begins or is longer than 366 days.
 */
export function resolveDays({
  dateFrom,
  dateTo,
}: {
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
}): DayRange {
  const to = dayOf(dateTo ?? timestamp());
  const from = dateFrom
    ? dayOf(dateFrom)
    : dayOf(new Date(Date.parse(to) - (defaultDays - 1) * dayMs).toISOString());
  if (from > to) {
    throw badRequest('dateTo must not be before dateFrom');
  }
  if (Date.parse(to) - Date.parse(from) >= maxDays * dayMs) {
    throw badRequest(`dateFrom must not be more than ${maxDays} days before dateTo`);
  }

  return { from, to };
}
