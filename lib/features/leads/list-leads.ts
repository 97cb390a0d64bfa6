import { listPipelines } from '#lib/features/leads/pipelines/pipeline.ts';
import { type LeadFacet, leadKeys } from '#lib/platform/db/keys/leads.ts';

import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import {
  type FieldList,
  type Filter,
  type FilteredList,
  indexedField,
  listFiltered,
} from '#lib/platform/db/lists/filtered-list.ts';
import {
  allRowsOf,
  type IndexRow,
  type ListIndex,
  type PageOfRows,
  pickPage,
} from '#lib/platform/db/lists/sharded-list.ts';
import type { FiltersOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/leads.ts';
import type { LeadStatus } from '#schemas/leads.ts';
import { campaignFacet, readFacetMetrics, readPipelineMetrics } from './lead-counters.ts';
import { type LeadField, wantedLeads } from './lead-filters.ts';
import { countTags, taggedLeads } from './lead-tags.ts';
import { readLinkedLeads } from './linked-leads.ts';
import { requireSegment } from './segments.ts';

export type LeadFilters = FiltersOf<typeof contracts.listLeads>;

const indexes: Readonly<Record<Exclude<LeadField, 'tag'>, ListIndex>> = {
  pipelineId: { name: 'byPipeline', attribute: 'pipelineId' },
  status: { name: 'byStatus', attribute: 'status' },
  assignedToId: { name: 'byAssignee', attribute: 'assignedToId' },
  stageId: { name: 'byStage', attribute: 'stageId' },
  source: { name: 'bySource', attribute: 'source' },
  socialAccountId: { name: 'bySocialAccount', attribute: 'socialAccountId' },
  contentPostId: { name: 'byContentPost', attribute: 'contentPostId' },
  campaignId: { name: 'byCampaign', attribute: 'campaignId' },
  conversationId: { name: 'byConversation', attribute: 'conversationId' },
};

function listsOf(organizationId: string): Readonly<Record<LeadField, FieldList>> {
  const indexed = Object.entries(indexes).map(([field, index]) => [
    field,
    indexedField({ organizationId, kind: 'lead' }, index),
  ]);

  return { ...Object.fromEntries(indexed), tag: taggedLeads(organizationId) };
}

type Metrics = ReturnType<typeof readPipelineMetrics>;

async function countFiltered(
  organizationId: string,
  { field, value }: Filter<LeadField>,
  ofAllPipelines: () => Metrics,
): Promise<number> {
  switch (field) {
    case 'pipelineId':
      return (await readPipelineMetrics(organizationId, value)).total;
    case 'status':
      return (await ofAllPipelines()).statuses[value as LeadStatus];
    case 'stageId':
      return (await ofAllPipelines()).stages.get(value)?.leads ?? 0;
    case 'tag':
      return (await countTags(organizationId, value)).get(value) ?? 0;
    case 'campaignId':
      return countFacet(organizationId, 'campaign', campaignFacet.byId(value));
    case 'conversationId':
      // A conversation has at most one lead in each pipeline, so counting its rows is cheap.
      return (
        await allRowsOf({ organizationId, kind: 'lead', by: { index: indexes[field], value } })
      ).length;
    default:
      return countFacet(organizationId, field, value);
  }
}

async function countFacet(
  organizationId: string,
  facet: LeadFacet,
  value: string,
): Promise<number> {
  return (await readFacetMetrics(organizationId, facet, value)).get(value)?.total ?? 0;
}

/** Returns a page of leads that match all filters, newest first, with their linked records. */
export async function listLeads(organizationId: string, wanted: LeadFilters, request: PageRequest) {
  const pipelines = listPipelines(organizationId);
  pipelines.catch(() => undefined);
  const page = await findLeads(organizationId, wanted, request);

  return {
    leads: await readLinkedLeads(organizationId, page.items, pipelines),
    pagination: page.pagination,
  };
}

/**
 * Returns a page of index rows of leads that match all filters, newest first.
 *
 * @throws 404 for an unknown segment.
 */
export async function findLeads(
  organizationId: string,
  { segmentId, ...filters }: LeadFilters,
  request: PageRequest,
): Promise<PageOfRows<IndexRow>> {
  const segment = segmentId ? await requireSegment(organizationId, segmentId) : undefined;
  const wanted = wantedLeads(organizationId, filters, segment?.filter);

  return wanted
    ? listFiltered(filteredLeads(organizationId), wanted, request)
    : pickPage([], request);
}

/** The leads of an organization. Each counter is read once, so use it for one request only. */
export function filteredLeads(organizationId: string): FilteredList<LeadField> {
  let metrics: Metrics | undefined;
  const ofAllPipelines = () => {
    metrics ??= readPipelineMetrics(organizationId);

    return metrics;
  };
  const counts = new Map<string, Promise<number>>();
  const count = (filter?: Filter<LeadField>) => {
    const name = filter ? `${filter.field} ${filter.value}` : '';
    const counting =
      counts.get(name) ??
      (filter
        ? countFiltered(organizationId, filter, ofAllPipelines)
        : ofAllPipelines().then(({ total }) => total));
    counts.set(name, counting);

    return counting;
  };

  return {
    organizationId,
    kind: 'lead',
    fields: listsOf(organizationId),
    count,
    keyOf: (id) => leadKeys.lead(organizationId, id),
  };
}
