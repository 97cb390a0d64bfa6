import { beforeAll, describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { type AgentWorld, agentWorld } from './agent-world.ts';

let world: AgentWorld;

beforeAll(async () => {
  world = await agentWorld();
});

describe('getting an agent', () => {
  it('returns it as it was created', async () => {
    const { aiAgent } = (await world.createAgent()).body;
    const { status, body } = await world.ask(ai.getAgent, { params: { agent_id: aiAgent.id } });

    expect(status).toBe(200);
    expect(body.aiAgent).toMatchObject(aiAgent);
  });

  it("returns 404 for another organization's agent", async () => {
    const { id } = (await (await agentWorld()).createAgent()).body.aiAgent;
    const { status, body } = await world.ask(ai.getAgent, { params: { agent_id: id } });

    expect([status, body.message]).toEqual([404, "AI agent not found or you don't have access"]);
  });
});
