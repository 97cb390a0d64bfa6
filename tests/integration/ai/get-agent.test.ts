import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { agentSetup } from './setup.ts';

const world = await agentSetup();

describe('getting an agent', () => {
  it('returns it as it was created', async () => {
    const { aiAgent } = (await world.createAgent()).body;
    const { status, body } = await world.ask(ai.getAgent, { params: { agent_id: aiAgent.id } });

    expect(status).toBe(200);
    expect(body.aiAgent).toMatchObject(aiAgent);
  });
});
