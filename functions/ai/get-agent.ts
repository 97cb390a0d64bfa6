import { presentAgents, requireAgent } from '#lib/ai/agents.ts';
import { readFigures } from '#lib/ai/figures.ts';
import { notFound } from '#lib/errors/failures.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getAgent } from '#schemas/ai.ts';

export const handler = endpoint(
  getAgent,
  async ({ organizationId, params }) => {
    const agent = await requireAgent(organizationId, params.agent_id);
    const [aiAgent] = await presentAgents(organizationId, [agent]);
    if (!aiAgent) {
      throw notFound('AI agent');
    }

    return { aiAgent, message: 'AI agent retrieved successfully' };
  },
  {
    ahead: ({ organizationId, params }) =>
      Promise.all([
        requireAgent(organizationId, params.agent_id),
        readFigures(organizationId, 'AGENT', [params.agent_id]),
      ]),
  },
);
