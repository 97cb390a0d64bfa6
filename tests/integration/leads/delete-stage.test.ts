import { beforeAll, describe, expect, it } from 'vitest';
import { deleteStage, moveLeadStage } from '#schemas/leads.ts';
import { type PipelineWorld, pipelineWorld } from './pipeline-world.ts';

let world: PipelineWorld;

beforeAll(async () => {
  world = await pipelineWorld();
});

describe('stages', () => {
  it('can be deleted only without leads, except for the last one', async () => {
    const pipeline = await world.newPipeline({ name: 'P', stages: [{ name: 'A' }, { name: 'B' }] });
    const [a, b] = pipeline.stages;
    const lead = await world.newLead({ pipelineId: pipeline.id });
    const stageParams = (id: string) => ({ pipeline_id: pipeline.id, stage_id: id });
    const refused = await world.ask(deleteStage, { params: stageParams(a.id) });
    expect([refused.status, refused.body.message]).toEqual([409, 'Stage still has 1 lead']);
    const params = { lead_id: lead.id };
    await world.ask(moveLeadStage, { params, body: { stageId: b.id } });
    expect((await world.ask(deleteStage, { params: stageParams(a.id) })).status).toBe(200);
    expect((await world.ask(deleteStage, { params: stageParams(b.id) })).status).toBe(409);
    expect((await world.ask(deleteStage, { params: stageParams(a.id) })).status).toBe(404);
  });
});
