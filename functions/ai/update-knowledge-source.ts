import { updateSource } from '#lib/features/knowledge/change-source.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { publicUrlProblems } from '#lib/platform/outbound/public-url.ts';
import { updateKnowledgeSource } from '#schemas/knowledge.ts';

export const handler = endpoint(
  updateKnowledgeSource,
  async ({ organizationId, params, body }) => ({
    source: await updateSource(organizationId, params.source_id, body),
  }),
  { rules: ({ body }) => publicUrlProblems('url', body.url) },
);
