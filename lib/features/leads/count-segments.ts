import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import {
  type Counted,
  countFilteredItems,
  type FilteredList,
} from '#lib/platform/db/lists/filtered-list.ts';
import type { RowBudget } from '#lib/platform/db/lists/walk-joined.ts';
import { type LeadField, wantedLeads } from './lead-filters.ts';
import { filteredLeads } from './list-leads.ts';
import type { Segment } from './segments.ts';

/** The index rows that one request reads to count leads: 12 MB, 1,600 read units. */
const maxCountedRows = 50_000;
const segmentsAtOnce = 4;

/** Returns the segments with the number of their leads. */
export function withCounts(
  organizationId: string,
  segments: readonly Segment[],
): Promise<ReadonlyArray<Segment & Counted>> {
  const leads = filteredLeads(organizationId);
  const budget = { left: maxCountedRows };

  return atMostAtOnce(segmentsAtOnce, segments, (segment) => countSegment(leads, segment, budget));
}

export function withCount(organizationId: string, segment: Segment): Promise<Segment & Counted> {
  return countSegment(filteredLeads(organizationId), segment, { left: maxCountedRows });
}

async function countSegment(
  leads: FilteredList<LeadField>,
  segment: Segment,
  budget: RowBudget,
): Promise<Segment & Counted> {
  const wanted = wantedLeads(leads.organizationId, {}, segment.filter);
  const counted = wanted
    ? await countFilteredItems(leads, wanted, budget)
    : { count: 0, isCountExact: true };

  return { ...segment, ...counted };
}
