import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { templateContent, templateSetup } from './setup.ts';

const world = await templateSetup();

describe('creating an interactive template', () => {
  it('returns the given values, and null for missing ones', async () => {
    const body = {
      name: crypto.randomUUID(),
      templateContent,
      abTestVariant: { variant: 'A', testId: 'one', weight: 1 },
    };
    const created = await world.ask(ai.createInteractiveTemplate, { body });

    expect(created.status).toBe(201);
    expect(created.body.interactiveTemplate).toMatchObject({
      ...body,
      description: null,
      isActive: true,
    });
  });

  it('may use the name of a prompt template', async () => {
    const name = crypto.randomUUID();
    await world.newTemplate({ name });

    expect((await world.newVariant({ name })).name).toBe(name);
  });
});
