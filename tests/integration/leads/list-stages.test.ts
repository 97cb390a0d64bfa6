import { describe, expect, it } from 'vitest';
import { listStages } from '#schemas/leads.ts';
import { pipelineSetup } from './setup.ts';

const world = await pipelineSetup();

describe('listing stages', () => {
  it("returns the pipeline's stages in order", async () => {
    const pipeline = await world.newPipeline({ name: 'P', stages: [{ name: 'A' }, { name: 'B' }] });
    const { body } = await world.ask(listStages, { params: { pipeline_id: pipeline.id } });

    expect([body.stages, body.total]).toEqual([pipeline.stages, 2]);
  });
});
