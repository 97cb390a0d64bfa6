import { syncSource } from '#lib/features/knowledge/change-source.ts';
import { requireSource } from '#lib/features/knowledge/source.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { syncKnowledgeSource } from '#schemas/knowledge.ts';

export const handler = endpoint(
  syncKnowledgeSource,
  async ({ organizationId, params, once }) => ({
    source: await once((alongside) => syncSource(organizationId, params.source_id, alongside)),
  }),
  { ahead: ({ organizationId, params }) => requireSource(organizationId, params.source_id) },
);
