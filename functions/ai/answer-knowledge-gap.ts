import { answerGap } from '#lib/features/knowledge/answer-gap.ts';
import { requireGap } from '#lib/features/knowledge/gaps.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { answerKnowledgeGap } from '#schemas/knowledge.ts';

export const handler = endpoint(
  answerKnowledgeGap,
  async ({ organizationId, params, body, once }) => ({
    source: await once((alongside) => answerGap(organizationId, params.gap_id, body, alongside)),
  }),
  { ahead: ({ organizationId, params }) => requireGap(organizationId, params.gap_id) },
);
