import { answerGap } from '#lib/features/knowledge/answer-gap.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { answerKnowledgeGap } from '#schemas/knowledge.ts';

export const handler = endpoint(
  answerKnowledgeGap,
  async ({ organizationId, params, body, idempotently }) => ({
    source: await idempotently((extraWrites) =>
      answerGap(organizationId, params.gap_id, body, extraWrites),
    ),
  }),
);
