import { beforeAll, describe, expect, it } from 'vitest';
import { getPipeline } from '#schemas/leads.ts';
import { type PipelineWorld, pipelineWorld } from './pipeline-world.ts';

let world: PipelineWorld;

beforeAll(async () => {
  world = await pipelineWorld();
});

describe('getting a pipeline', () => {
  it('returns it as it was created', async () => {
    const pipeline = await world.newPipeline({ name: 'P', stages: [{ name: 'A' }, { name: 'B' }] });
    const { status, body } = await world.ask(getPipeline, { params: { pipeline_id: pipeline.id } });

    expect([status, body.pipeline]).toEqual([200, pipeline]);
  });

  it("returns 404 for another organization's pipeline", async () => {
    const other = await pipelineWorld();
    const params = { pipeline_id: (await other.newPipeline()).id };
    const { status, body } = await world.ask(getPipeline, { params });

    expect([status, body.message]).toEqual([404, "Pipeline not found or you don't have access"]);
  });
});
