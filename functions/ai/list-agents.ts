import { presentAgents, readAgents } from '#lib/features/ai/agents.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listAgents } from '#schemas/ai.ts';

export const handler = endpoint(listAgents, async ({ organizationId, query }) => {
  const { status, channel } = query;
  const agents = (await readAgents(organizationId)).filter(
    (agent) =>
      (!status || agent.status === status) && (!channel || agent.channels.includes(channel)),
  );

  return {
    aiAgents: await presentAgents(organizationId, agents),
    total: agents.length,
  };
});
