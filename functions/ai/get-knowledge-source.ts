import { requireSource } from '#lib/features/knowledge/source.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getKnowledgeSource } from '#schemas/knowledge.ts';

export const handler = endpoint(getKnowledgeSource, async ({ organizationId, params }) => ({
  source: await requireSource(organizationId, params.source_id),
}));
