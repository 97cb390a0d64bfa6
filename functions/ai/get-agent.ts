import { requireAgent } from '#lib/features/ai/agent.ts';
import { presentAgents } from '#lib/features/ai/agents.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getAgent } from '#schemas/ai.ts';

export const handler = endpoint(getAgent, async ({ organizationId, params }) => {
  const agent = await requireAgent(organizationId, params.agent_id);
  const [aiAgent] = await presentAgents(organizationId, [agent]);
  if (!aiAgent) {
    throw notFound('AI agent');
  }

  return { aiAgent };
});
