import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';

const maxDays = 366;
const defaultDays = 30;

export type DayRange = { readonly from: string; readonly to: string };

type RequestedRange = { readonly from?: string | undefined; readonly to?: string | undefined };

function dayOf(value: string): string {
  return new Date(value).toISOString().slice(0, 10);
}

/**
 * Returns the requested range of UTC days, both inclusive. Defaults to the last 30 days. `names` are
 * those of the fields in the request.
 *
 * @throws 400 if the range ends before it begins or is longer than 366 days.
 */
export function resolveDays(requested: RequestedRange, names: DayRange): DayRange {
  const to = dayOf(requested.to ?? timestamp());
  const from = requested.from
    ? dayOf(requested.from)
    : dayOf(new Date(Date.parse(to) - (defaultDays - 1) * dayMs).toISOString());
  if (from > to) {
    throw badRequest(`${names.to} must not be before ${names.from}`);
  }
  if (Date.parse(to) - Date.parse(from) >= maxDays * dayMs) {
    throw badRequest(`${names.from} must not be more than ${maxDays} days before ${names.to}`);
  }

  return { from, to };
}
