import { beforeAll, describe, expect, it } from 'vitest';
import {
  createLead,
  createPipeline,
  createStage,
  deleteLead,
  deletePipeline,
  deleteStage,
  getPipeline,
  listPipelines,
  listStages,
  moveLeadStage,
  updatePipeline,
  updateStage,
} from '#schemas/leads.ts';
import { type LeadWorld, leadWorld } from './world.ts';

let world: LeadWorld;

beforeAll(async () => {
  world = await leadWorld();
});

async function newPipeline(body: Readonly<Record<string, unknown>> = { name: 'Partners' }) {
  return (await world.ask(createPipeline, { body })).body.pipeline;
}

describe('pipelines', () => {
  it('start with the sales pipeline, whose stages map to the statuses of the same names', async () => {
    const { pipelines } = (await (await leadWorld()).ask(listPipelines)).body;
    expect(pipelines).toHaveLength(1);
    expect(pipelines[0]).toMatchObject({ name: 'Sales Pipeline', isDefault: true });
    expect(
      pipelines[0].stages.map((one: Record<string, unknown>) => [one.order, one.name, one.status]),
    ).toEqual([
      [1, 'New', 'NEW'],
      [2, 'Qualified', 'QUALIFIED'],
      [3, 'Contacted', 'CONTACTED'],
      [4, 'Converted', 'CONVERTED'],
      [5, 'Lost', 'LOST'],
    ]);
  });

  it('have one default at a time, which cannot be deleted', async () => {
    const fresh = await leadWorld();
    const { pipeline } = (await fresh.ask(createPipeline, { body: { name: 'Partners' } })).body;
    const params = { pipeline_id: pipeline.id };
    await fresh.ask(updatePipeline, { params, body: { isDefault: true } });
    const { pipelines } = (await fresh.ask(listPipelines)).body;
    expect(pipelines.filter((one: { isDefault: boolean }) => one.isDefault)).toMatchObject([
      { id: pipeline.id },
    ]);
    expect((await fresh.ask(deletePipeline, { params })).status).toBe(409);
    const no = await fresh.ask(updatePipeline, { params, body: { isDefault: false } });
    expect(no.status).toBe(409);
  });

  it('can be deleted only without leads, and accept none afterwards', async () => {
    const pipeline = await newPipeline();
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
      const pipeline = await newPipeline();
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

describe('stages', () => {
  it('can be added, renamed, moved and listed in order', async () => {
    const pipeline = await newPipeline({ name: 'P', stages: [{ name: 'A' }, { name: 'B' }] });
    const params = { pipeline_id: pipeline.id };
    const added = await world.ask(createStage, { params, body: { name: 'C', order: 1 } });
    expect(added.body.stage).toMatchObject({ name: 'C', order: 1, status: null });
    const inPath = { ...params, stage_id: added.body.stage.id };
    const body = { name: 'D', order: 3, status: 'LOST' };
    const changed = await world.ask(updateStage, { params: inPath, body });
    expect(changed.body.stage).toMatchObject(body);
    const { stages } = (await world.ask(listStages, { params })).body;
    expect(stages.map((one: { name: string; order: number }) => [one.order, one.name])).toEqual([
      [1, 'A'],
      [2, 'B'],
      [3, 'D'],
    ]);
  });

  it('can be deleted only without leads, except for the last one', async () => {
    const pipeline = await newPipeline({ name: 'P', stages: [{ name: 'A' }, { name: 'B' }] });
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

  it('that are added concurrently are all stored or rejected', async () => {
    const pipeline = await newPipeline({ name: 'P', stages: [{ name: 'A' }] });
    const params = { pipeline_id: pipeline.id };
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        world.ask(createStage, { params, body: { name: `S${index}` } }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const { total } = (await world.ask(listStages, { params })).body;
    expect(total).toBe(1 + made.length);
  });
});
