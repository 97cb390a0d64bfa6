import { dayMs } from '#lib/platform/clock.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { change, count, type Write } from '#lib/platform/db/write.ts';

/**
 * Number of shards per counter. Each click is a transaction, and concurrent transactions on the
 * same item conflict.
 */
export const clickShards = 16;
const retentionDays = 400;

export type CountedClick = {
  readonly organizationId: string;
  readonly linkId: string;
  /** A UTC date, for example `2026-01-15`. */
  readonly day: string;
  readonly shard: number;
  readonly country?: string | undefined;
  readonly referrerHost?: string | undefined;
};

/**
 * Returns the writes that count a click. Include them in the transaction that claims the visitor.
 */
export function planClickCount(click: CountedClick): readonly Write[] {
  const { organizationId, linkId, day, shard, country, referrerHost } = click;
  const set = { expiresAtSeconds: (Date.parse(day) + retentionDays * dayMs) / 1_000 };

  return [
    count(keys.bioClicks(organizationId, linkId, shard), { clicks: 1 }),
    change(keys.bioDay(organizationId, linkId, day, shard), {
      add: { clicks: 1, ...(country ? { [`country_${country}`]: 1 } : {}) },
      set,
      orCreate: true,
    }),
    ...(referrerHost
      ? [
          change(keys.bioReferrer(organizationId, linkId, day, shard, referrerHost), {
            add: { clicks: 1 },
            set: { ...set, host: referrerHost },
            orCreate: true,
          }),
        ]
      : []),
  ];
}

type Counter = { readonly clicks: number };

/**
 * Returns the clicks of each link. Uses one query, because the counters of the links on a page are
 * adjacent in the table.
 */
export async function readClickCounts(
  organizationId: string,
  linkIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const sorted = [...linkIds].sort();
  const [oldest, newest] = [sorted[0], sorted.at(-1)];
  if (oldest === undefined || newest === undefined) {
    return new Map();
  }
  const counters = await query<Counter>(ranges.bioClicks(organizationId, oldest, newest));

  return sumBy(counters, ({ sk }) => sk.slice(0, sk.indexOf('#')));
}

function sumBy<Item extends Counter>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const item of items) {
    const name = nameOf(item);
    sums.set(name, (sums.get(name) ?? 0) + item.clicks);
  }

  return sums;
}

export type ClickStats = {
  readonly totalClicks: number;
  readonly days: ReadonlyArray<{ readonly date: string; readonly clicks: number }>;
  readonly countries: ReadonlyArray<{ readonly country: string; readonly clicks: number }>;
  readonly referrers: ReadonlyArray<{ readonly host: string; readonly clicks: number }>;
};

const maxReferrers = 100;

/** Returns the clicks of a link between two days, both inclusive. */
export async function readClickStats(
  organizationId: string,
  linkId: string,
  from: string,
  to: string,
): Promise<ClickStats> {
  const [days, referrers] = await Promise.all([
    query<Counter & Record<string, unknown>>(ranges.bioDays(organizationId, linkId, from, to)),
    query<Counter & { host: string }>(ranges.bioReferrers(organizationId, linkId, from, to)),
  ]);
  const byDay = sumBy(days, ({ sk }) => sk.split('#')[1] ?? '');
  const countries = days.flatMap((day) =>
    Object.entries(day)
      .filter(([name]) => name.startsWith('country_'))
      .map(([name, clicks]) => ({
        country: name.slice('country_'.length),
        clicks: Number(clicks),
      })),
  );

  return {
    totalClicks: days.reduce((sum, { clicks }) => sum + clicks, 0),
    days: daysBetween(from, to).map((date) => ({ date, clicks: byDay.get(date) ?? 0 })),
    countries: ranked(sumBy(countries, ({ country }) => country)).map(([country, clicks]) => ({
      country,
      clicks,
    })),
    referrers: ranked(sumBy(referrers, ({ host }) => host))
      .slice(0, maxReferrers)
      .map(([host, clicks]) => ({ host, clicks })),
  };
}

function ranked(sums: ReadonlyMap<string, number>): ReadonlyArray<readonly [string, number]> {
  return [...sums].sort(
    ([oneName, one], [otherName, other]) => other - one || (oneName < otherName ? -1 : 1),
  );
}

function daysBetween(from: string, to: string): readonly string[] {
  const first = Date.parse(from);
  const days = Math.round((Date.parse(to) - first) / dayMs) + 1;

  return Array.from({ length: days }, (_, index) =>
    new Date(first + index * dayMs).toISOString().slice(0, 10),
  );
}
