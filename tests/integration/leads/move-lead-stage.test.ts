import { describe, expect, it } from 'vitest';
import { createStage, getLead, getLeadStats, moveLeadStage, updateLead } from '#schemas/leads.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

describe('moving a lead', () => {
  it('applies the status of the stage, and keeps the current one if the stage has none', async () => {
    const { id } = await world.newLead();
    const params = { lead_id: id };
    const moved = await world.ask(moveLeadStage, {
      params,
      body: { stageId: world.stage('Qualified'), notes: 'good' },
    });
    expect(moved.body.lead).toMatchObject({
      stageId: world.stage('Qualified'),
      status: 'QUALIFIED',
    });
    const free = await world.ask(createStage, {
      params: { pipeline_id: world.pipeline.id },
      body: { name: 'Negotiation' },
    });
    const on = await world.ask(moveLeadStage, { params, body: { stageId: free.body.stage.id } });
    expect(on.body.lead).toMatchObject({ stageId: free.body.stage.id, status: 'QUALIFIED' });
    const { activities } = (await world.ask(getLead, { params })).body.lead;
    expect(activities.map((one: { type: string }) => one.type)).toEqual([
      'STAGE_CHANGED',
      'STATUS_CHANGED',
      'STAGE_CHANGED',
    ]);
    expect(activities[2].metadata).toMatchObject({ notes: 'good' });
    expect(activities[1]).toMatchObject({
      leadId: id,
      metadata: { from: 'NEW', to: 'QUALIFIED' },
    });
  });

  it("to its current stage restores the stage's status and keeps the notes", async () => {
    const fresh = await leadSetup();
    const { id } = await fresh.newLead({ value: 10 });
    const params = { lead_id: id };
    const stageId = fresh.stage('Converted');
    const moveThere = (notes?: string) =>
      fresh.ask(moveLeadStage, { params, body: { stageId, notes } });
    const readLead = async () => (await fresh.ask(getLead, { params })).body.lead;
    await moveThere();
    await fresh.ask(updateLead, { params, body: { status: 'LOST' } });
    const { body } = await moveThere('back again');
    const settled = await readLead();
    const [status, note] = settled.activities;

    expect(body.lead).toMatchObject({ stageId, status: 'CONVERTED' });
    expect(settled).toMatchObject({ status: 'CONVERTED', convertedAt: body.lead.updatedAt });
    expect(status).toMatchObject({
      type: 'STATUS_CHANGED',
      metadata: { from: 'LOST', to: 'CONVERTED' },
    });
    expect(note).toMatchObject({
      type: 'STAGE_CHANGED',
      metadata: { from: stageId, to: stageId, notes: 'back again' },
    });
    const { stats } = (await fresh.ask(getLeadStats)).body;
    expect(stats).toMatchObject({ totalLeads: 1, convertedLeads: 1, lostLeads: 0 });

    await moveThere('nothing but a note');
    const noted = await readLead();
    expect(noted.activities[0].metadata).toMatchObject({ notes: 'nothing but a note' });
    expect(noted.activities).toHaveLength(settled.activities.length + 1);
    await moveThere();
    expect(await readLead()).toEqual(noted);
  });

  it('to a stage of another pipeline is rejected', async () => {
    const { id } = await world.newLead();
    const stranger = await leadSetup();
    const body = { stageId: stranger.stage('Lost') };
    const answer = await world.ask(moveLeadStage, { params: { lead_id: id }, body });
    expect([answer.status, answer.body.message]).toEqual([
      400,
      ["stageId must be a stage in the lead's pipeline"],
    ]);
  });
});
