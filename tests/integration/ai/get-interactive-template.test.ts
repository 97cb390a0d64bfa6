import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { templateSetup } from './setup.ts';

const world = await templateSetup();

describe('getting an interactive template', () => {
  it('returns it as it was created', async () => {
    const template = await world.newVariant({
      abTestVariant: { variant: 'A', testId: 'one', weight: 1 },
    });
    const params = { template_id: template.id };
    const { status, body } = await world.ask(ai.getInteractiveTemplate, { params });

    expect(status).toBe(200);
    expect(body.interactiveTemplate).toMatchObject(template);
  });

  it('returns 404 for a prompt template', async () => {
    const params = { template_id: (await world.newTemplate()).id };

    expect((await world.ask(ai.getInteractiveTemplate, { params })).status).toBe(404);
  });
});
