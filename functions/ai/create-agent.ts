import { createAgent, hoursProblems } from '#lib/features/ai/agents.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/ai.ts';

export const handler = endpoint(
  contracts.createAgent,
  async ({ organizationId, caller, body, idempotently }) => {
    const agent = await idempotently((extraWrites) =>
      createAgent(organizationId, caller.userId, body, extraWrites),
    );

    return { aiAgent: agent };
  },
  { rules: ({ body }) => hoursProblems(body) },
);
