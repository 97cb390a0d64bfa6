import { describe, expect, it } from 'vitest';
import { deleteStage, moveLeadStage } from '#schemas/leads.ts';
import { pipelineSetup } from './setup.ts';

const world = await pipelineSetup();

describe('stages', () => {
  it('can only be deleted without leads, except for the last one', async () => {
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

  it('cannot be entered by a lead while they are deleted', async () => {
    const stages = Array.from({ length: 9 }, (_, index) => ({ name: `Stage ${index}` }));
    const pipeline = await world.newPipeline({ name: 'Race', stages });
    const lead = await world.newLead({ pipelineId: pipeline.id });
    const [first, ...others] = pipeline.stages;
    for (const { id: stageId } of others) {
      const params = { pipeline_id: pipeline.id, stage_id: stageId };
      const [moved, deleted] = await Promise.all([
        world.ask(moveLeadStage, { params: { lead_id: lead.id }, body: { stageId } }),
        world.ask(deleteStage, { params }),
      ]);

      expect([moved.status, deleted.status].filter((status) => status === 200)).toHaveLength(1);
      const back = { params: { lead_id: lead.id }, body: { stageId: first.id } };
      expect((await world.ask(moveLeadStage, back)).status).toBe(200);
    }
  });
});
