import { deleteAgent } from '#lib/features/ai/agents.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/ai.ts';

export const handler = endpoint(
  contracts.deleteAgent,
  async ({ organizationId, caller, params }) => {
    await deleteAgent(organizationId, caller.userId, params.agent_id);
  },
);
