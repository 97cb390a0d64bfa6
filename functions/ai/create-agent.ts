import { createAgent, hoursProblems } from '#lib/features/ai/agents.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/ai.ts';

export const handler = endpoint(
  contracts.createAgent,
  async ({ organizationId, caller, body, idempotently }) => ({
    aiAgent: await idempotently((extraWrites) =>
      createAgent(organizationId, caller.userId, body, extraWrites),
    ),
  }),
  { rules: ({ body }) => hoursProblems(body) },
);
