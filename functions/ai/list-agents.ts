import { listAgents, presentAgents } from '#lib/features/ai/agents.ts';
import { firstThatFit } from '#lib/platform/http/answer.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/ai.ts';

type PageQuery = Readonly<Partial<Record<'page' | 'limit' | 'cursor', unknown>>>;

function isPaged({ page, limit, cursor }: PageQuery): boolean {
  return [page, limit, cursor].some((value) => value !== undefined);
}

export const handler = endpoint(contracts.listAgents, async ({ organizationId, query }) => {
  const found = await listAgents(organizationId, query);
  const presented = await presentAgents(organizationId, found.items);
  const fitting = firstThatFit(presented);
  const isCut = fitting.length < presented.length && query.limit === undefined;
  const { pagination } = isCut
    ? await listAgents(organizationId, { ...query, limit: fitting.length })
    : found;

  return {
    aiAgents: isCut ? fitting : presented,
    total: pagination.total,
    pagination: isPaged(query) ? pagination : { ...pagination, limit: fitting.length },
  };
});
