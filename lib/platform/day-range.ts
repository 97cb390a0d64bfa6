import { dayMs, timestamp } from '#lib/platform/clock.ts';

const maxDays = 366;
const defaultDays = 30;

export type DayRange = { readonly from: string; readonly to: string };

/** The bounds of a range, as requested. */
export type NamedRange = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The names of the bounds in the request. */
  readonly names: DayRange;
  /** Errors for bounds that were passed under both names. */
  readonly conflicts: readonly string[];
};

type RequestedBounds = { readonly [name: string]: unknown };

/** Returns the range of a query. `from` and `to` may have older names. */
export function namedRange(query: RequestedBounds, older?: DayRange): NamedRange {
  const { from: olderFrom = '', to: olderTo = '' } = older ?? {};
  const isOlder = (query[olderFrom] ?? query[olderTo]) !== undefined;
  const bound = (name: 'from' | 'to', olderName: string) => ({
    name: isOlder && query[name] === undefined ? olderName : name,
    conflicts:
      query[name] !== undefined && query[olderName] !== undefined
        ? [`${name} cannot be combined with ${olderName}`]
        : [],
  });
  const from = bound('from', olderFrom);
  const to = bound('to', olderTo);

  return {
    from: query[from.name] as string | undefined,
    to: query[to.name] as string | undefined,
    names: { from: from.name, to: to.name },
    conflicts: [...from.conflicts, ...to.conflicts],
  };
}

/** The older names of the bounds in most ranges. */
export const olderDateNames = { from: 'dateFrom', to: 'dateTo' } as const;

function dayOf(value: string): string {
  return new Date(value).toISOString().slice(0, 10);
}

/**
 * Returns the requested range of UTC days, both bounds inclusive. Defaults to the last 30 days.
 * Check `dayRangeProblems` first.
 */
export function resolveDays(requested: Pick<NamedRange, 'from' | 'to'>): DayRange {
  const to = dayOf(requested.to ?? timestamp());
  const from = requested.from
    ? dayOf(requested.from)
    : dayOf(new Date(Date.parse(to) - (defaultDays - 1) * dayMs).toISOString());

  return { from, to };
}

/** Returns problems if the range ends before it begins or is longer than 366 days. */
export function dayRangeProblems({
  names,
  conflicts,
  ...requested
}: NamedRange): readonly string[] {
  const { from, to } = resolveDays(requested);
  if (conflicts.length > 0) {
    return conflicts;
  }
  if (from > to) {
    return [`${names.to} must not be before ${names.from}`];
  }

  return Date.parse(to) - Date.parse(from) >= maxDays * dayMs
    ? [`${names.from} must not be more than ${maxDays} days before ${names.to}`]
    : [];
}
