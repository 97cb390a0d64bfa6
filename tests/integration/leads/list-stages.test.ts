import { beforeAll, describe, expect, it } from 'vitest';
import { listStages } from '#schemas/leads.ts';
import { type PipelineWorld, pipelineWorld } from './pipeline-world.ts';

let world: PipelineWorld;

beforeAll(async () => {
  world = await pipelineWorld();
});

describe('listing stages', () => {
  it("returns the pipeline's stages in order", async () => {
    const pipeline = await world.newPipeline({ name: 'P', stages: [{ name: 'A' }, { name: 'B' }] });
    const { body } = await world.ask(listStages, { params: { pipeline_id: pipeline.id } });

    expect([body.stages, body.total]).toEqual([pipeline.stages, 2]);
  });

  it('returns 404 for an unknown pipeline', async () => {
    const params = { pipeline_id: crypto.randomUUID() };

    expect((await world.ask(listStages, { params })).status).toBe(404);
  });
});
