import { requireAiCalls } from '#lib/features/ai/ai-budget.ts';
import { findPassages } from '#lib/features/knowledge/find-passages.ts';
import { listSources } from '#lib/features/knowledge/source.ts';
import { config } from '#lib/platform/config.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { searchKnowledge } from '#schemas/knowledge.ts';

export const handler = endpoint(searchKnowledge, async ({ organizationId, body }) => {
  await requireAiCalls(organizationId, 1);
  const { passages } = await findPassages(organizationId, () => listSources(organizationId), {
    question: body.query,
    limit: body.limit,
    timeoutMs: config.ai.interactiveTimeoutMs,
  });

  return { hits: passages };
});
