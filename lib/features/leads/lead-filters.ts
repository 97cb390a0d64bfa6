import type { ListFilters, RecordCondition } from '#lib/platform/db/lists/filtered-list.ts';
import { type IdRange, type ListIndex, rowsBetween } from '#lib/platform/db/lists/sharded-list.ts';
import { firstIdAt } from '#lib/platform/ids.ts';
import type { SegmentFilter } from '#schemas/segments.ts';

/** The fields of leads by which lists are kept. */
export type LeadField =
  | 'pipelineId'
  | 'status'
  | 'assignedToId'
  | 'stageId'
  | 'source'
  | 'socialAccountId'
  | 'contentPostId'
  | 'campaignId'
  | 'conversationId'
  | 'tag';

export type FieldFilters = Readonly<Partial<Record<LeadField, string | undefined>>>;

/** Returns the condition that leads must match, or undefined if no lead can match. */
export function wantedLeads(
  organizationId: string,
  filters: FieldFilters,
  { createdAfter, createdBefore, valueMin, valueMax, ...others }: SegmentFilter = {},
): ListFilters<LeadField> | undefined {
  const values = [...valuesOf(filters), ...valuesOf(others)];
  const distinct = [...new Map(values.map((one) => [`${one.field} ${one.value}`, one])).values()];
  const fields = distinct.map(({ field }) => field).filter((field) => field !== 'tag');
  if (new Set(fields).size < fields.length) {
    return undefined;
  }

  return {
    filters: distinct,
    ids: idsOf(createdAfter, createdBefore),
    condition: valueCondition(organizationId, valueMin, valueMax),
  };
}

function valuesOf(filters: FieldFilters) {
  return (Object.entries(filters) as Array<[LeadField, string | undefined]>).flatMap(
    ([field, value]) => (value === undefined ? [] : [{ field, value }]),
  );
}

/** Ids of leads begin with the time of their creation. */
function idsOf(after: string | undefined, before: string | undefined): IdRange | undefined {
  if (after === undefined && before === undefined) {
    return undefined;
  }

  return {
    from: after === undefined ? undefined : firstIdAt(Math.max(0, Date.parse(after) + 1)),
    before: before === undefined ? undefined : firstIdAt(Math.max(0, Date.parse(before))),
  };
}

/** Leads with a value are sorted by it. */
const byRank: ListIndex = { name: 'byRank', attribute: 'rank' };

function valueCondition(
  organizationId: string,
  valueMin: number | undefined,
  valueMax: number | undefined,
): RecordCondition | undefined {
  if (valueMin === undefined && valueMax === undefined) {
    return undefined;
  }
  const bounds = { min: valueMin ?? 0, max: valueMax ?? Number.MAX_SAFE_INTEGER };

  return {
    matches: ({ value }) => typeof value === 'number' && value >= bounds.min && value <= bounds.max,
    find: (most) => rowsBetween({ organizationId, kind: 'lead', index: byRank, ...bounds }, most),
  };
}
