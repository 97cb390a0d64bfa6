import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { newMember } from '#tests/support/accounts.ts';
import { agentSetup } from './setup.ts';

const world = await agentSetup();

describe('an agent', () => {
  it('can be deleted by an admin, which releases its name', async () => {
    const member = await newMember(world.owner, 'MEMBER');
    const { id, name } = (await world.createAgent()).body.aiAgent;
    const params = { agent_id: id };
    const refused = await world.ask(ai.deleteAgent, { params, token: member.token });

    expect(refused.status).toBe(403);
    expect((await world.ask(ai.deleteAgent, { params })).status).toBe(200);
    expect((await world.ask(ai.getAgent, { params })).body.message).toBe(
      "AI agent not found or you don't have access",
    );
    expect((await world.createAgent({ name })).status).toBe(201);
  });
});
