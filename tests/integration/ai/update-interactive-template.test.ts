import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { templateSetup } from './setup.ts';

const world = await templateSetup();

describe('updating an interactive template', () => {
  it('changes only the given fields, and null clears a field', async () => {
    const template = await world.newVariant({
      description: 'Old',
      abTestVariant: { variant: 'A', testId: 'one', weight: 1 },
    });
    const params = { template_id: template.id };
    const changes = { description: null, abTestVariant: null, isActive: false };
    const { body } = await world.ask(ai.updateInteractiveTemplate, { params, body: changes });

    expect(body.interactiveTemplate).toEqual({
      ...template,
      ...changes,
      updatedAt: body.interactiveTemplate.updatedAt,
    });
  });

  it('returns 409 for the name of another interactive template', async () => {
    const [one, other] = [await world.newVariant(), await world.newVariant()];
    const params = { template_id: other.id };
    const body = { name: one.name };

    expect((await world.ask(ai.updateInteractiveTemplate, { params, body })).status).toBe(409);
  });
});
