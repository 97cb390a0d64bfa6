import { completeSource } from '#lib/features/knowledge/complete-source.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { completeKnowledgeSource } from '#schemas/knowledge.ts';

export const handler = endpoint(
  completeKnowledgeSource,
  async ({ organizationId, params, idempotently }) => ({
    source: await idempotently((extraWrites) =>
      completeSource(organizationId, params.source_id, extraWrites),
    ),
  }),
);
