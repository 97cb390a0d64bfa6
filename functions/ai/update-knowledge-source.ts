import { updateSource } from '#lib/features/knowledge/change-source.ts';
import { requireSource } from '#lib/features/knowledge/source.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updateKnowledgeSource } from '#schemas/knowledge.ts';

export const handler = endpoint(
  updateKnowledgeSource,
  async ({ organizationId, params, body }) => ({
    source: await updateSource(organizationId, params.source_id, body),
  }),
  { ahead: ({ organizationId, params }) => requireSource(organizationId, params.source_id) },
);
