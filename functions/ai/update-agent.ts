import { requireAgent, updateAgent } from '#lib/features/ai/agents.ts';
import { requireTemplates } from '#lib/features/ai/template-uses.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/ai.ts';

export const handler = endpoint(
  contracts.updateAgent,
  async ({ organizationId, caller, params, body }) => {
    const agent = await updateAgent(organizationId, caller.userId, params.agent_id, body);

    return { aiAgent: agent };
  },
  {
    ahead: ({ organizationId, params, body }) =>
      Promise.all([
        requireAgent(organizationId, params.agent_id),
        body.promptTemplateId
          ? requireTemplates(organizationId, [body.promptTemplateId])
          : undefined,
      ]),
  },
);
