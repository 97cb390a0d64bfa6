import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { templateSetup } from './setup.ts';

const world = await templateSetup();

describe('getting a prompt template', () => {
  it('returns it as it was created', async () => {
    const template = await world.newTemplate();
    const params = { template_id: template.id };
    const { status, body } = await world.ask(ai.getPromptTemplate, { params });

    expect([status, body.promptTemplate]).toEqual([200, template]);
  });

  it('returns 404 for an interactive template', async () => {
    const params = { template_id: (await world.newVariant()).id };
    const { status, body } = await world.ask(ai.getPromptTemplate, { params });

    expect([status, body.message]).toEqual([
      404,
      "Prompt template not found or you don't have access",
    ]);
  });
});
