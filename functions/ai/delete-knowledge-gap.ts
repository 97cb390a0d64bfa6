import { deleteGap } from '#lib/features/knowledge/gaps.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deleteKnowledgeGap } from '#schemas/knowledge.ts';

export const handler = endpoint(deleteKnowledgeGap, async ({ organizationId, params }) => {
  await deleteGap(organizationId, params.gap_id);
});
