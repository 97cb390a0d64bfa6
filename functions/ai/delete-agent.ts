import { deleteAgent as removeAgent, requireAgent } from '#lib/ai/agents.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { deleteAgent } from '#schemas/ai.ts';

export const handler = endpoint(
  deleteAgent,
  async ({ organizationId, caller, params }) => {
    await removeAgent(organizationId, caller.userId, params.agent_id);

    return { message: 'AI agent deleted successfully' };
  },
  { ahead: ({ organizationId, params }) => requireAgent(organizationId, params.agent_id) },
);
