import { describe, expect, it } from 'vitest';
import { createPipeline } from '#schemas/leads.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

describe('creating a pipeline', () => {
  it('stores its stages in the given order', async () => {
    const body = { name: 'Partners', stages: [{ name: 'Lost', status: 'LOST' }, { name: 'New' }] };
    const created = await world.ask(createPipeline, { body });

    expect(created.status).toBe(201);
    expect(created.body.pipeline).toMatchObject({
      name: 'Partners',
      isDefault: false,
      stages: [
        { name: 'Lost', order: 1, status: 'LOST' },
        { name: 'New', order: 2, status: null },
      ],
    });
  });

  it('uses the default stages when none are given', async () => {
    const { pipeline } = (await world.ask(createPipeline, { body: { name: 'Investors' } })).body;
    const shown = ({ name, order, status }: Record<string, unknown>) => ({ name, order, status });

    expect(pipeline.stages.map(shown)).toEqual(world.pipeline.stages.map(shown));
  });
});
