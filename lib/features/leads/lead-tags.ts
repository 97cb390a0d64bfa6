import { isDeepStrictEqual } from 'node:util';
import { absent, type Condition, equals } from '#lib/platform/db/conditions.ts';
import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import type { FieldList } from '#lib/platform/db/lists/filtered-list.ts';
import type { IdRange, IndexRow } from '#lib/platform/db/lists/sharded-list.ts';
import { shardOf } from '#lib/platform/db/lists/shards.ts';
import { query } from '#lib/platform/db/read.ts';
import { count, discard, put, type Write } from '#lib/platform/db/write.ts';
import type { Lead } from './lead.ts';
import { counterShards } from './lead-counters.ts';

const maxPage = 1_000;

/** Returns the lead with these tags, or the same lead if it has them already. */
export function withTags(lead: Lead, wanted: readonly string[]): Lead {
  const { tags = [], ...rest } = lead;
  if (isDeepStrictEqual(tags, wanted)) {
    return lead;
  }

  return wanted.length > 0 ? { ...rest, tags: wanted } : rest;
}

function addedTags(before: Lead | undefined, after: Lead | undefined): readonly string[] {
  const had = new Set(before?.tags);

  return (after?.tags ?? []).filter((tag) => !had.has(tag));
}

/** Returns how many tags a change adds and removes. Each takes two writes. */
export function tagChanges(before: Lead, after: Lead): number {
  return addedTags(before, after).length + addedTags(after, before).length;
}

/**
 * Returns the writes that update the lists and counters of tags. They belong in the transaction
 * that changes the lead, which must fail if its tags have changed since `before` was read.
 * `undefined` means that the lead does not exist before or after the change.
 */
export function planTagChange(before: Lead | undefined, after: Lead | undefined): readonly Write[] {
  return [
    ...addedTags(after, before).flatMap((tag) => planTag(before as Lead, tag, -1)),
    ...addedTags(before, after).flatMap((tag) => planTag(after as Lead, tag, 1)),
  ];
}

function planTag(lead: Lead, tag: string, amount: 1 | -1): readonly Write[] {
  const { organizationId, id } = lead;
  const shard = shardOf(id, counterShards);

  return [
    amount === 1 ? planTagRow(lead, tag) : discard(leadKeys.leadTag(organizationId, tag, id)),
    count(leadKeys.leadTagCounter(organizationId, tag, shard), { total: amount }),
  ];
}

/** The row contains the ids of the records that lists show with the lead. */
function planTagRow(lead: Lead, tag: string): Write {
  const { organizationId, id, contactId, socialAccountId = null, contentPostId = null } = lead;

  return put(leadKeys.leadTag(organizationId, tag, id), {
    id,
    contactId,
    socialAccountId,
    contentPostId,
  });
}

/** True if the lead still has the tags that it had when it was read. */
export function tagsAre({ tags }: Lead): Condition {
  return tags === undefined ? absent('tags') : equals('tags', tags);
}

/** Rewrites the rows of a lead whose contact changed. */
export function planTagRows(lead: Lead): readonly Write[] {
  return (lead.tags ?? []).map((tag) => planTagRow(lead, tag));
}

/** The leads by their tags. */
export function taggedLeads(organizationId: string): FieldList {
  return {
    rows: (tag) => (pageSize, range) => leadsWithTag(organizationId, tag, pageSize, range),
    matches: ({ tags }, tag) => Array.isArray(tags) && tags.includes(tag),
  };
}

async function* leadsWithTag(
  organizationId: string,
  tag: string,
  pageSize: number,
  { before, from }: IdRange,
): AsyncGenerator<IndexRow, void, undefined> {
  const all = leadRanges.leadsWithTag(organizationId, tag);
  const range =
    from === undefined ? all : { ...all, from: leadKeys.leadTag(organizationId, tag, from).sk };
  let after = before === undefined ? undefined : leadKeys.leadTag(organizationId, tag, before).sk;
  if (after !== undefined && after <= range.from) {
    return;
  }
  let limit = pageSize;
  let page: readonly IndexRow[];
  do {
    page = await query<IndexRow>(range, { newestFirst: true, limit, ...(after ? { after } : {}) });
    yield* page;
    after = page.length < limit ? undefined : page.at(-1)?.sk;
    limit = Math.min(maxPage, limit * 2);
  } while (after);
}

/** Returns the number of leads for each tag in use, or for one tag. */
export async function countTags(
  organizationId: string,
  tag?: string,
): Promise<ReadonlyMap<string, number>> {
  const counters = await query<{ readonly total: number }>(
    leadRanges.leadTagCounters(organizationId, tag),
  );
  const totals = new Map<string, number>();
  for (const { sk, total } of counters) {
    const name = decodeURIComponent(sk.slice(0, sk.lastIndexOf('#')));
    totals.set(name, (totals.get(name) ?? 0) + total);
  }

  return new Map([...totals].filter(([, total]) => total > 0));
}
