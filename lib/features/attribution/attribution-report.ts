import { cutToLength } from '#lib/platform/characters.ts';
import type { DayRange } from '#lib/platform/day-range.ts';
import { attributionCounts, attributionRanges } from '#lib/platform/db/keys/attribution.ts';
import { campaignKeys } from '#lib/platform/db/keys/campaigns.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { getMany, query } from '#lib/platform/db/read.ts';
import type { AttributionPart } from '#schemas/attribution.ts';
import type { Attribution } from './attribution.ts';

type Amounts = {
  readonly clicks: number;
  readonly conversations: number;
  readonly leads: number;
  readonly converted: number;
  readonly valueCents: number;
};

export type AttributionRow = Amounts & { readonly key: string; readonly name?: string };

type Counter = Attribution & Partial<Amounts>;

const amountNames = ['clicks', 'conversations', 'leads', 'converted', 'valueCents'] as const;
const none: Amounts = { clicks: 0, conversations: 0, leads: 0, converted: 0, valueCents: 0 };

const keyOf: Readonly<Record<AttributionPart, (counter: Counter) => string | undefined>> = {
  post: ({ postId }) => postId,
  campaign: ({ campaignId }) => campaignId,
  keyword: ({ keyword }) => keyword,
  network: ({ network }) => network,
  link: ({ link }) => link,
};

/**
 * Returns the totals of the requested days by one part of the attribution. Records without that
 * part, such as a lead without a post, are in no row.
 */
export async function readAttribution(
  organizationId: string,
  by: AttributionPart,
  { from, to }: DayRange,
): Promise<readonly AttributionRow[]> {
  const counters = await Promise.all(
    attributionCounts.map((counted) =>
      query<Counter>(attributionRanges.attributionCounters(organizationId, counted, from, to), {
        eventually: true,
      }),
    ),
  );
  const sums = sumByKey(counters.flat(), keyOf[by]);
  const rows = [...sums].filter(([, sum]) => amountNames.some((name) => sum[name] !== 0));
  const names = await namesOf(
    organizationId,
    by,
    rows.map(([key]) => key),
  );

  return rows
    .map(([key, sum]) => ({ key, ...compactName(names.get(key)), ...sum }))
    .sort(mostValuableFirst);
}

function compactName(name: string | undefined) {
  return name === undefined ? {} : { name };
}

function sumByKey(
  counters: readonly Counter[],
  key: (counter: Counter) => string | undefined,
): ReadonlyMap<string, Amounts> {
  const sums = new Map<string, Amounts>();
  for (const counter of counters) {
    const name = key(counter);
    if (name !== undefined) {
      sums.set(name, sumOf(sums.get(name) ?? none, counter));
    }
  }

  return sums;
}

function sumOf(sum: Amounts, counter: Counter): Amounts {
  return {
    clicks: sum.clicks + (counter.clicks ?? 0),
    conversations: sum.conversations + (counter.conversations ?? 0),
    leads: sum.leads + (counter.leads ?? 0),
    converted: sum.converted + (counter.converted ?? 0),
    valueCents: sum.valueCents + (counter.valueCents ?? 0),
  };
}

function mostValuableFirst(one: AttributionRow, other: AttributionRow): number {
  return (
    other.valueCents - one.valueCents ||
    other.converted - one.converted ||
    other.leads - one.leads ||
    other.conversations - one.conversations ||
    other.clicks - one.clicks ||
    (one.key < other.key ? -1 : 1)
  );
}

const maxName = 100;

/** A post or a campaign. A deleted post is kept for some time. */
type Named = { readonly content?: string; readonly name?: string; readonly state?: string };

/** Returns the names of posts and campaigns that still exist. Other keys are shown as they are. */
async function namesOf(
  organizationId: string,
  by: AttributionPart,
  found: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (by !== 'post' && by !== 'campaign') {
    return new Map(found.map((key) => [key, key]));
  }
  const itemKey = (id: string): Key =>
    by === 'post'
      ? contentKeys.contentPost(organizationId, id)
      : campaignKeys.campaign(organizationId, id);
  const items = await getMany<Named>(found.map(itemKey));
  const named = found.flatMap((id, index) => {
    const item = items[index];
    const name = item?.content ?? item?.name;

    return name === undefined || item?.state === 'DELETED'
      ? []
      : [[id, cutToLength(name, maxName)] as const];
  });

  return new Map(named);
}
