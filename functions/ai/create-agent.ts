import { createAgent } from '#lib/features/ai/agents.ts';
import { requireTemplates } from '#lib/features/ai/template-uses.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/ai.ts';

export const handler = endpoint(
  contracts.createAgent,
  async ({ organizationId, caller, body, once }) => {
    const agent = await once((alongside) =>
      createAgent(organizationId, caller.userId, body, alongside),
    );

    return { aiAgent: agent };
  },
  {
    ahead: ({ organizationId, body }) => requireTemplates(organizationId, [body.promptTemplateId]),
  },
);
