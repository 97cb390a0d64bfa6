import { dayMs, secondMs } from '#lib/platform/clock.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { bioKeys, bioRanges } from '#lib/platform/db/keys/bio.ts';
import { query } from '#lib/platform/db/read.ts';
import { change, count, type Write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';

/**
 * Number of shards per counter, for concurrent writes. Older clicks may be in up to 16 shards.
 * Range reads find these too.
 */
export const clickShards = 4;
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
 * Clicks that are not in the daily counters yet are stored on the link's counter, with one
 * attribute per kind: `kind#2026-01-15#GB#example!com`. So a click needs only one write.
 */
const kindPrefix = 'kind#';
/** An item with this many kinds stays below 1 KB, so writing it costs one unit. */
export const maxKinds = 12;

type Kind = Pick<CountedClick, 'day' | 'country' | 'referrerHost'> & { readonly clicks: number };

/** A dot would start a nested path in an expression. No host contains an exclamation mark. */
function kindName({ day, country = '', referrerHost = '' }: CountedClick): string {
  return `${kindPrefix}${day}#${country}#${referrerHost.replaceAll('.', '!')}`;
}

function kindsOf(counter: object): readonly Kind[] {
  return Object.entries(counter)
    .filter(([name]) => name.startsWith(kindPrefix))
    .map(([name, clicks]) => {
      const [, day = '', country, host] = name.split('#');

      return {
        day,
        clicks: Number(clicks),
        country: country || undefined,
        referrerHost: host?.replaceAll('!', '.') || undefined,
      };
    });
}

/** Returns the write that counts a click. */
export function planClickCount(click: CountedClick): Write {
  const { organizationId, linkId, shard } = click;

  return count(bioKeys.bioClicks(organizationId, linkId, shard), {
    clicks: 1,
    [kindName(click)]: 1,
  });
}

/**
 * Moves the kinds to the daily counters when there are many. If a click is counted in the meantime,
 * moves nothing, and that click tries again.
 */
export async function moveKindsWhenMany(
  { organizationId, linkId, shard }: CountedClick,
  counter: object | undefined,
): Promise<void> {
  const kinds = kindsOf(counter ?? {});
  if (kinds.length <= maxKinds) {
    return;
  }
  const stored = Object.fromEntries(
    Object.entries(counter ?? {}).filter(([name]) => name.startsWith(kindPrefix)),
  );
  await writeIfMet(
    change(bioKeys.bioClicks(organizationId, linkId, shard), {
      set: Object.fromEntries(Object.keys(stored).map((name) => [name, null])),
      when: allOf(...Object.entries(stored).map(([name, clicks]) => equals(name, clicks))),
    }),
    ...planDayCounts(organizationId, linkId, shard, kinds),
  );
}

function planDayCounts(
  organizationId: string,
  linkId: string,
  shard: number,
  kinds: readonly Kind[],
): readonly Write[] {
  return [...Map.groupBy(kinds, ({ day }) => day)].flatMap(([day, ofDay]) => {
    const set = { expiresAtSeconds: (Date.parse(day) + retentionDays * dayMs) / secondMs };
    const countries = sumByName(ofDay.map(({ country, clicks }) => [country, clicks]));
    const hosts = sumByName(ofDay.map(({ referrerHost, clicks }) => [referrerHost, clicks]));
    const add = {
      clicks: ofDay.reduce((sum, { clicks }) => sum + clicks, 0),
      ...Object.fromEntries(
        [...countries].map(([name, clicks]) => [`${countryPrefix}${name}`, clicks]),
      ),
    };

    return [
      change(bioKeys.bioDay(organizationId, linkId, day, shard), { add, set, orCreate: true }),
      ...[...hosts].map(([host, clicks]) =>
        change(bioKeys.bioReferrer(organizationId, linkId, day, shard, host), {
          add: { clicks },
          set: { ...set, host },
          orCreate: true,
        }),
      ),
    ];
  });
}

type NamedClicks = readonly [name: string | undefined, clicks: number];

/** Adds up the clicks by name. Omits clicks without a name. */
function sumByName(entries: readonly NamedClicks[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [name, clicks] of entries) {
    if (name !== undefined) {
      sums.set(name, (sums.get(name) ?? 0) + clicks);
    }
  }

  return sums;
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
  const counters = await query<Counter>(bioRanges.bioClicks(organizationId, oldest, newest));

  return sumByName(counters.map(({ sk, clicks }) => [sk.slice(0, sk.indexOf('#')), clicks]));
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
  const [counters, days, referrers] = await Promise.all([
    query(bioRanges.bioClicks(organizationId, linkId, linkId)),
    query<Counter & Record<string, unknown>>(bioRanges.bioDays(organizationId, linkId, from, to)),
    query<Counter & { host: string }>(bioRanges.bioReferrers(organizationId, linkId, from, to)),
  ]);
  const kinds = counters.flatMap(kindsOf).filter(({ day }) => day >= from && day <= to);
  const byDay = sumByName([
    ...kinds.map(({ day, clicks }) => [day, clicks] as const),
    ...days.map(({ sk, clicks }) => [sk.split('#')[1], clicks] as const),
  ]);
  const countries = sumByName([
    ...kinds.map(({ country, clicks }) => [country, clicks] as const),
    ...days.flatMap(countriesOf),
  ]);
  const hosts = sumByName([
    ...kinds.map(({ referrerHost, clicks }) => [referrerHost, clicks] as const),
    ...referrers.map(({ host, clicks }) => [host, clicks] as const),
  ]);

  return {
    totalClicks: [...byDay.values()].reduce((sum, clicks) => sum + clicks, 0),
    days: daysBetween(from, to).map((date) => ({ date, clicks: byDay.get(date) ?? 0 })),
    countries: ranked(countries).map(([country, clicks]) => ({ country, clicks })),
    referrers: ranked(hosts)
      .slice(0, maxReferrers)
      .map(([host, clicks]) => ({ host, clicks })),
  };
}

const countryPrefix = 'country_';

function countriesOf(day: Readonly<Record<string, unknown>>): readonly NamedClicks[] {
  return Object.entries(day)
    .filter(([name]) => name.startsWith(countryPrefix))
    .map(([name, clicks]) => [name.slice(countryPrefix.length), Number(clicks)]);
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
