import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { templateSetup } from './setup.ts';

const world = await templateSetup();

describe('deleting an interactive template', () => {
  it('removes it and releases its name', async () => {
    const { id, name } = await world.newVariant();
    const params = { template_id: id };

    expect((await world.ask(ai.deleteInteractiveTemplate, { params })).status).toBe(200);
    expect((await world.ask(ai.deleteInteractiveTemplate, { params })).status).toBe(404);
    expect((await world.newVariant({ name })).name).toBe(name);
  });

  it('is rejected while an agent uses the template', async () => {
    const { id } = await world.newVariant();
    const body = { name: crypto.randomUUID(), promptTemplateId: id, channels: ['COMMENT'] };
    await world.ask(ai.createAgent, { body });
    const params = { template_id: id };

    expect((await world.ask(ai.deleteInteractiveTemplate, { params })).status).toBe(409);
  });
});
