import { syncSource } from '#lib/features/knowledge/change-source.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { syncKnowledgeSource } from '#schemas/knowledge.ts';

export const handler = endpoint(
  syncKnowledgeSource,
  async ({ organizationId, params, idempotently }) => ({
    source: await idempotently((extraWrites) =>
      syncSource(organizationId, params.source_id, extraWrites),
    ),
  }),
);
