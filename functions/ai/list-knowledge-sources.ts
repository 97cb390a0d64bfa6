import { listSources } from '#lib/features/knowledge/source.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listKnowledgeSources } from '#schemas/knowledge.ts';

export const handler = endpoint(listKnowledgeSources, async ({ organizationId }) => {
  const sources = await listSources(organizationId);

  return { sources, total: sources.length };
});
