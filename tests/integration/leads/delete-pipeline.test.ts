import { describe, expect, it } from 'vitest';
import { createLead, deleteLead, deletePipeline, getPipeline } from '#schemas/leads.ts';
import { pipelineSetup } from './setup.ts';

const world = await pipelineSetup();

describe('pipelines', () => {
  it('can only be deleted without leads, and accept none afterwards', async () => {
    const pipeline = await world.newPipeline();
    const lead = await world.newLead({ pipelineId: pipeline.id });
    const params = { pipeline_id: pipeline.id };
    const refused = await world.ask(deletePipeline, { params });
    expect([refused.status, refused.body.message, refused.body.leadCount]).toEqual([
      409,
      'Pipeline still has 1 lead',
      1,
    ]);
    await world.ask(deleteLead, { params: { lead_id: lead.id } });
    expect((await world.ask(deletePipeline, { params })).status).toBe(200);
    expect((await world.ask(getPipeline, { params })).status).toBe(404);
    const body = { contactId: lead.contactId, pipelineId: pipeline.id, source: 'x' };
    expect((await world.ask(createLead, { body })).status).toBe(404);
  });

  it('never get a lead while they are being deleted, whichever request comes first', async () => {
    for (let run = 0; run < 5; run += 1) {
      const pipeline = await world.newPipeline();
      const params = { pipeline_id: pipeline.id };
      const [created, deleted] = await Promise.allSettled([
        world.newLead({ pipelineId: pipeline.id }),
        world.ask(deletePipeline, { params }),
      ]);
      const isDeleted = deleted.status === 'fulfilled' && deleted.value.status === 200;
      expect(isDeleted).toBe(created.status === 'rejected');
    }
  });
});
