import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { templateSetup } from './setup.ts';

const world = await templateSetup();

describe('a prompt template', () => {
  it('cannot be deleted while an agent uses it', async () => {
    const [one, other] = [await world.newTemplate(), await world.newTemplate()];
    const body = { name: crypto.randomUUID(), promptTemplateId: one.id, channels: ['COMMENT'] };
    const { id } = (await world.ask(ai.createAgent, { body })).body.aiAgent;
    const remove = (template: { id: string }) =>
      world.ask(ai.deletePromptTemplate, { params: { template_id: template.id } });

    expect((await remove(one)).status).toBe(409);
    await world.ask(ai.updateAgent, {
      params: { agent_id: id },
      body: { promptTemplateId: other.id },
    });
    expect((await remove(one)).status).toBe(200);
    expect((await remove(other)).status).toBe(409);
    await world.ask(ai.deleteAgent, { params: { agent_id: id } });
    expect((await remove(other)).status).toBe(200);
  });
});
