import { createAgent as addAgent, presentAgent } from '#lib/ai/agents.ts';
import { requireTemplates } from '#lib/ai/template-uses.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { createAgent } from '#schemas/ai.ts';

export const handler = endpoint(
  createAgent,
  async ({ organizationId, caller, body, once }) => {
    const agent = await once((alongside) =>
      addAgent(organizationId, caller.userId, body, alongside),
    );

    return { aiAgent: presentAgent(agent), message: 'AI agent created successfully' };
  },
  {
    ahead: ({ organizationId, body }) => requireTemplates(organizationId, [body.promptTemplateId]),
  },
);
