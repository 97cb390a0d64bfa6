import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { agentSetup, hours } from './setup.ts';

const world = await agentSetup();

describe('an agent', () => {
  it('changes only the given fields, and keeps business hours while they are needed', async () => {
    const { id } = (await world.createAgent({ businessHoursOnly: true, businessHours: hours })).body
      .aiAgent;
    const params = { agent_id: id };
    const paused = await world.ask(ai.updateAgent, { params, body: { status: 'PAUSED' } });
    const refused = await world.ask(ai.updateAgent, { params, body: { businessHours: null } });
    const changed = await world.ask(ai.updateAgent, {
      params,
      body: { businessHours: null, businessHoursOnly: false, variables: { discount: '10 %' } },
    });

    expect(paused.body.aiAgent).toMatchObject({ status: 'PAUSED', businessHours: hours });
    expect(refused.status).toBe(400);
    expect(changed.body.aiAgent).toMatchObject({
      status: 'PAUSED',
      businessHours: null,
      variables: { discount: '10 %' },
    });
  });

  it('keeps all concurrent changes of different fields', async () => {
    const { id } = (await world.createAgent()).body.aiAgent;
    const params = { agent_id: id };
    const bodies = [
      { status: 'PAUSED' },
      { maxResponsesPerConversation: 3 },
      { variables: { discount: '10 %' } },
    ];
    const changes = await Promise.all(
      bodies.map((body) => world.ask(ai.updateAgent, { params, body })),
    );
    const { aiAgent } = (await world.ask(ai.getAgent, { params })).body;

    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(aiAgent).toMatchObject(Object.assign({}, ...bodies));
  });

  it('records its changes in the audit log', async () => {
    const { id } = (await world.createAgent()).body.aiAgent;
    const params = { agent_id: id };
    await world.ask(ai.updateAgent, { params, body: { status: 'TESTING' } });
    await world.ask(ai.deleteAgent, { params });
    const { body } = await world.ask(listAuditLog, { query: { limit: '100' } });
    const own = body.entries.filter((entry: { targetId: string }) => entry.targetId === id);

    expect(own.map(({ action }: { action: string }) => action)).toEqual([
      'agent.deleted',
      'agent.updated',
      'agent.created',
    ]);
  });
});
