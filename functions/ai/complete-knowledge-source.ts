import { completeSource } from '#lib/features/knowledge/complete-source.ts';
import { requireSource } from '#lib/features/knowledge/source.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { completeKnowledgeSource } from '#schemas/knowledge.ts';

export const handler = endpoint(
  completeKnowledgeSource,
  async ({ organizationId, params, once }) => ({
    source: await once((alongside) => completeSource(organizationId, params.source_id, alongside)),
  }),
  { ahead: ({ organizationId, params }) => requireSource(organizationId, params.source_id) },
);
