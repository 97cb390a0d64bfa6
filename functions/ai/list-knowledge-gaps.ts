import { listGaps } from '#lib/features/knowledge/gaps.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listKnowledgeGaps } from '#schemas/knowledge.ts';

export const handler = endpoint(listKnowledgeGaps, async ({ organizationId, query }) => {
  const { items, pagination } = await listGaps(organizationId, query);

  return { gaps: items, pagination };
});
