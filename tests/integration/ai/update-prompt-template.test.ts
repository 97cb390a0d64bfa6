import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { templateContent, templateSetup } from './setup.ts';

const world = await templateSetup();

describe('a prompt template', () => {
  it('changes only the given fields, and null clears a field', async () => {
    const { id } = await world.newTemplate({
      description: 'Old',
      businessInfo: { companyName: 'Engines', products: ['One'] },
    });
    const params = { template_id: id };
    const name = crypto.randomUUID();
    const { body } = await world.ask(ai.updatePromptTemplate, {
      params,
      body: { name, description: null, isActive: false },
    });

    expect(body.promptTemplate).toMatchObject({
      name,
      description: null,
      isActive: false,
      templateContent,
      businessInfo: { companyName: 'Engines', industry: null, products: ['One'], services: [] },
    });
    expect((await world.ask(ai.getPromptTemplate, { params })).body.promptTemplate).toEqual(
      body.promptTemplate,
    );
  });

  it('keeps all concurrent changes of different fields', async () => {
    const { id } = await world.newTemplate({});
    const params = { template_id: id };
    const bodies = [{ description: 'New' }, { isActive: false }, { name: crypto.randomUUID() }];
    const changes = await Promise.all(
      bodies.map((body) => world.ask(ai.updatePromptTemplate, { params, body })),
    );
    const { promptTemplate } = (await world.ask(ai.getPromptTemplate, { params })).body;

    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(promptTemplate).toMatchObject(Object.assign({}, ...bodies));
  });

  it('releases its name when it is renamed or deleted', async () => {
    const name = crypto.randomUUID();
    const one = await world.newTemplate({ name });
    await world.ask(ai.updatePromptTemplate, {
      params: { template_id: one.id },
      body: { name: crypto.randomUUID() },
    });
    const other = await world.newTemplate({ name });
    await world.ask(ai.deletePromptTemplate, { params: { template_id: other.id } });

    expect((await world.newTemplate({ name })).name).toBe(name);
  });
});
