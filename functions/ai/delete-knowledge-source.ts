import { deleteSource } from '#lib/features/knowledge/delete-source.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deleteKnowledgeSource } from '#schemas/knowledge.ts';

export const handler = endpoint(deleteKnowledgeSource, async ({ organizationId, params }) => {
  await deleteSource(organizationId, params.source_id);
});
