import { keys } from '#lib/db/keys.ts';
import type { PageRequest } from '#lib/db/list.ts';
import { getMany } from '#lib/db/read.ts';
import {
  type IndexRow,
  type ListIndex,
  listIndexPage,
  pickPage,
  rowsOf,
} from '#lib/db/sharded-list.ts';
import { listPipelines } from '#lib/leads/pipelines/pipelines.ts';
import type { LeadStatus } from '#schemas/leads.ts';
import type { Lead } from './lead.ts';
import { readFacetFigures, readPipelineFigures } from './lead-counters.ts';
import { readLinkedLeads } from './linked-leads.ts';

export type LeadFilters = {
  readonly pipelineId?: string | undefined;
  readonly status?: LeadStatus | undefined;
  readonly assignedToId?: string | undefined;
  readonly stageId?: string | undefined;
  readonly source?: string | undefined;
  readonly socialAccountId?: string | undefined;
  readonly contentPostId?: string | undefined;
};

type Filter = { readonly field: keyof LeadFilters; readonly value: string };

const indexes: Readonly<Record<keyof LeadFilters, ListIndex>> = {
  pipelineId: { name: 'byPipeline', attribute: 'pipelineId' },
  status: { name: 'byStatus', attribute: 'status' },
  assignedToId: { name: 'byAssignee', attribute: 'assignedToId' },
  stageId: { name: 'byStage', attribute: 'stageId' },
  source: { name: 'bySource', attribute: 'source' },
  socialAccountId: { name: 'bySocialAccount', attribute: 'socialAccountId' },
  contentPostId: { name: 'byContentPost', attribute: 'contentPostId' },
};
const allLeads: ListIndex = { name: 'list', attribute: 'list' };

/** How many leads pass a filter: from the counters, whatever their number. */
async function countFiltered(organizationId: string, { field, value }: Filter): Promise<number> {
  switch (field) {
    case 'pipelineId':
      return (await readPipelineFigures(organizationId, value)).total;
    case 'status':
      return (await readPipelineFigures(organizationId)).statuses[value as LeadStatus];
    case 'stageId':
      return (await readPipelineFigures(organizationId)).stages.get(value)?.leads ?? 0;
    default:
      return (await readFacetFigures(organizationId, field, value)).get(value)?.total ?? 0;
  }
}

async function countAll(organizationId: string): Promise<number> {
  return (await readPipelineFigures(organizationId)).total;
}

const batch = 100;

/** The rows of the rarest filter whose leads pass the others too, newest first. */
async function findMatching(
  organizationId: string,
  filters: readonly Filter[],
): Promise<IndexRow[]> {
  const counts = await Promise.all(filters.map((filter) => countFiltered(organizationId, filter)));
  const rarest = filters[counts.indexOf(Math.min(...counts))];
  if (!rarest) {
    return [];
  }
  const list = { index: indexes[rarest.field], organizationId, value: rarest.value };
  const found: IndexRow[] = [];
  let pending: IndexRow[] = [];
  const settle = async () => {
    const leads = await getMany<Lead>(pending.map(({ id }) => keys.lead(organizationId, id)));
    const passes = (lead: Lead | undefined) =>
      lead !== undefined && filters.every(({ field, value }) => lead[field] === value);
    found.push(...pending.filter((_, index) => passes(leads[index])));
    pending = [];
  };
  for await (const row of rowsOf(list, batch)) {
    pending.push(row);
    if (pending.length === batch) {
      await settle();
    }
  }
  await settle();

  return found;
}

/** One page of the leads that pass all filters, newest first, with all that they are linked to. */
export async function listLeads(organizationId: string, wanted: LeadFilters, request: PageRequest) {
  const pipelines = listPipelines(organizationId);
  pipelines.catch(() => undefined);
  const page = await findLeads(organizationId, wanted, request);

  return {
    leads: await readLinkedLeads(organizationId, page.items, pipelines),
    pagination: page.pagination,
  };
}

/** One page of the index rows of the leads that pass all filters, newest first. */
export async function findLeads(organizationId: string, wanted: LeadFilters, request: PageRequest) {
  const filters = (
    Object.entries(wanted) as Array<[keyof LeadFilters, string | undefined]>
  ).flatMap(([field, value]) => (value === undefined ? [] : [{ field, value }]));
  const [only, ...others] = filters;
  if (!only) {
    const list = { index: allLeads, organizationId, value: 'lead' };

    return listIndexPage(list, request, countAll(organizationId));
  }
  if (others.length === 0) {
    const list = { index: indexes[only.field], organizationId, value: only.value };

    return listIndexPage(list, request, countFiltered(organizationId, only));
  }

  return pickPage(await findMatching(organizationId, filters), request);
}
