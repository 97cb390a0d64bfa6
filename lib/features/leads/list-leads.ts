import { listPipelines } from '#lib/features/leads/pipelines/pipelines.ts';
import {
  type FieldList,
  type Filter,
  type FilteredList,
  indexedField,
  listFiltered,
} from '#lib/platform/db/filtered-list.ts';
import type { LeadFacet } from '#lib/platform/db/keys/leads.ts';
import { keys } from '#lib/platform/db/keys.ts';
import type { PageRequest } from '#lib/platform/db/list.ts';
import { allRowsOf, type ListIndex } from '#lib/platform/db/sharded-list.ts';
import type { FiltersOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/leads.ts';
import type { LeadStatus } from '#schemas/leads.ts';
import { campaignFacet, readFacetMetrics, readPipelineMetrics } from './lead-counters.ts';
import { countTags, taggedLeads } from './lead-tags.ts';
import { readLinkedLeads } from './linked-leads.ts';

export type LeadFilters = FiltersOf<typeof contracts.listLeads>;

const indexes: Readonly<Record<Exclude<keyof LeadFilters, 'tag'>, ListIndex>> = {
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

function listsOf(organizationId: string): Readonly<Record<keyof LeadFilters, FieldList>> {
  const indexed = Object.entries(indexes).map(([field, index]) => [
    field,
    indexedField(organizationId, index),
  ]);

  return { ...Object.fromEntries(indexed), tag: taggedLeads(organizationId) };
}

async function countFiltered(
  organizationId: string,
  { field, value }: Filter<keyof LeadFilters>,
): Promise<number> {
  switch (field) {
    case 'pipelineId':
      return (await readPipelineMetrics(organizationId, value)).total;
    case 'status':
      return (await readPipelineMetrics(organizationId)).statuses[value as LeadStatus];
    case 'stageId':
      return (await readPipelineMetrics(organizationId)).stages.get(value)?.leads ?? 0;
    case 'tag':
      return (await countTags(organizationId, value)).get(value) ?? 0;
    case 'campaignId':
      return countFacet(organizationId, 'campaign', campaignFacet.byId(value));
    case 'conversationId':
      // A conversation has one lead in each pipeline at most, so counting its rows is cheap.
      return (await allRowsOf({ index: indexes[field], organizationId, value })).length;
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

async function countAll(organizationId: string): Promise<number> {
  return (await readPipelineMetrics(organizationId)).total;
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

/** Returns a page of index rows of leads that match all filters, newest first. */
export function findLeads(organizationId: string, wanted: LeadFilters, request: PageRequest) {
  const list: FilteredList<keyof LeadFilters> = {
    organizationId,
    all: 'lead',
    fields: listsOf(organizationId),
    count: (filter) => (filter ? countFiltered(organizationId, filter) : countAll(organizationId)),
    keyOf: (id) => keys.lead(organizationId, id),
  };

  return listFiltered(list, wanted, request);
}
