import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { templateSetup } from './setup.ts';

const world = await templateSetup();

describe('a prompt template', () => {
  it('is returned with missing values as null, empty or 0', async () => {
    expect(await world.newTemplate({ name: '  Sales  ' })).toMatchObject({
      name: 'Sales',
      description: null,
      inputVariables: [],
      businessInfo: { companyName: null, industry: null, products: [], services: [] },
      personalitySettings: { tone: null, style: null, expertise: null, language: null },
      isActive: true,
      usageCount: 0,
      testCount: 0,
    });
  });

  it('needs content, which is optional for an interactive template', async () => {
    const name = crypto.randomUUID();
    const without = { body: { name, templateContent: null } };
    expect((await world.ask(ai.createPromptTemplate, without)).status).toBe(400);
    expect(await world.newVariant({ templateContent: null })).toMatchObject({
      templateContent: '',
    });
  });

  it('rejects undeclared variables on creation and update', async () => {
    const says = ['templateContent has placeholders that are not in inputVariables: discount'];
    const body = { name: 'Discount', templateContent: '{{discount}} {{tone}}' };
    const refused = await world.ask(ai.createPromptTemplate, { body });
    const { id } = await world.newTemplate({ ...body, inputVariables: ['discount'] });
    const changed = await world.ask(ai.updatePromptTemplate, {
      params: { template_id: id },
      body: { inputVariables: null },
    });

    expect(refused.status).toBe(400);
    expect(refused.body.message).toEqual(says);
    expect(changed.body.message).toEqual(says);
  });
});
