import { describe, expect, it } from 'vitest';
import { getPipeline } from '#schemas/leads.ts';
import { pipelineSetup } from './setup.ts';

const world = await pipelineSetup();

describe('getting a pipeline', () => {
  it('returns it as it was created', async () => {
    const pipeline = await world.newPipeline({ name: 'P', stages: [{ name: 'A' }, { name: 'B' }] });
    const { status, body } = await world.ask(getPipeline, { params: { pipeline_id: pipeline.id } });

    expect([status, body.pipeline]).toEqual([200, pipeline]);
  });
});
