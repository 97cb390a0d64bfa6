import { updateAgent } from '#lib/features/ai/agents.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/ai.ts';

export const handler = endpoint(
  contracts.updateAgent,
  async ({ organizationId, caller, params, body }) => ({
    aiAgent: await updateAgent(organizationId, caller.userId, params.agent_id, body),
  }),
);
