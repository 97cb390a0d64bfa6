import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import {
  createLeadActivity,
  createStage,
  deleteLead,
  getLead,
  getLeadStats,
  listLeads,
  moveLeadStage,
  updateLead,
} from '#schemas/leads.ts';
import { removeMember } from '#schemas/organizations.ts';
import { newMember } from '#tests/support/accounts.ts';
import { depth } from '#tests/support/depth.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { type LeadWorld, leadWorld } from './world.ts';

let world: LeadWorld;

beforeAll(async () => {
  world = await leadWorld();
});

const notFound = [404, "Lead not found or you don't have access"];

describe('changing a lead', () => {
  it('changes only the given fields, and null clears a field', async () => {
    const { id } = await world.newLead({ value: 100, notes: 'first' });
    const params = { lead_id: id };
    const changed = await world.ask(updateLead, { params, body: { value: 200 } });
    expect(changed.body.lead).toMatchObject({ value: 200, notes: 'first', status: 'NEW' });
    const cleared = await world.ask(updateLead, { params, body: { notes: null, value: null } });
    expect(cleared.body.lead).toMatchObject({ value: null, notes: null });
    const unchanged = await world.ask(updateLead, { params, body: {} });
    expect(unchanged.body.lead).toEqual(cleared.body.lead);
  });

  it('changes the status without the stage, stores the conversion time, and records the change', async () => {
    const { id } = await world.newLead();
    const params = { lead_id: id };
    const converted = await world.ask(updateLead, { params, body: { status: 'CONVERTED' } });
    expect(converted.body.lead).toMatchObject({
      status: 'CONVERTED',
      converted: true,
      stageId: world.stage('New'),
      convertedAt: converted.body.lead.updatedAt,
    });
    const lost = await world.ask(updateLead, { params, body: { status: 'LOST' } });
    expect(lost.body.lead).toMatchObject({ converted: false, convertedAt: null });
    const { activities } = (await world.ask(getLead, { params })).body.lead;
    expect(activities.map((one: { metadata: unknown }) => one.metadata)).toEqual([
      { from: 'CONVERTED', to: 'LOST' },
      { from: 'NEW', to: 'CONVERTED' },
    ]);
  });

  it('allows only members as assignees', async () => {
    const { id } = await world.newLead();
    const params = { lead_id: id };
    const own = { assignedToId: world.owner.userId };
    expect((await world.ask(updateLead, { params, body: own })).body.lead).toMatchObject(own);
    const answer = await world.ask(updateLead, { params, body: { assignedToId: randomUUID() } });
    expect([answer.status, answer.body.message]).toEqual([
      400,
      ['assignedToId must be a member of the organization'],
    ]);
  });

  it('keeps an assignee who has left, but rejects them as a new assignee', async () => {
    const { userId: assignedToId } = await newMember(world.owner, 'MEMBER');
    const [lead, other] = [await world.newLead(), await world.newLead()];
    const params = { lead_id: lead.id };
    await world.ask(updateLead, { params, body: { assignedToId } });
    await world.ask(removeMember, { params: { user_id: assignedToId } });
    const changed = await world.ask(updateLead, { params, body: { assignedToId, value: 300 } });
    const given = await world.ask(updateLead, {
      params: { lead_id: other.id },
      body: { assignedToId },
    });
    const found = await world.ask(listLeads, { query: { assignedToId } });

    expect(changed.status).toBe(200);
    expect(changed.body.lead).toMatchObject({ assignedToId, value: 300 });
    expect(given.status).toBe(400);
    expect(found.body.leads.map(({ id }: { id: string }) => id)).toEqual([lead.id]);
    await world.ask(updateLead, { params, body: { assignedToId: null } });
    const again = await world.ask(updateLead, { params, body: { assignedToId } });
    expect(again.status).toBe(400);
  });

  it('keeps all of 100 concurrent changes to different fields', async () => {
    const { id } = await world.newLead({ value: 1 });
    const params = { lead_id: id };
    const bodies = [{ value: 7 }, { notes: 'seven' }, { assignedToId: world.owner.userId }];
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        world.ask(updateLead, { params, body: bodies[index % 3] }),
      ),
    );
    const { lead } = (await world.ask(getLead, { params })).body;
    expect(lead).toMatchObject({ value: 7, notes: 'seven', assignedToId: world.owner.userId });
  });
});

describe('the activity log of a lead', () => {
  const activities = depth(40);

  it('does not grow any item, however many changes are recorded', {
    timeout: 60_000 + activities * 200,
  }, async () => {
    const { id } = await world.newLead();
    const params = { lead_id: id };
    const sizes = async () => {
      const items = await storedItems(keys.lead(world.owner.organizationId, id).pk);

      return new Set(
        items.map((item) => `${item.sk.split('#')[0]} ${JSON.stringify(item).length}`),
      );
    };
    const record = () =>
      world.ask(createLeadActivity, { params, body: { type: 'NOTE', description: 'Called' } });
    await record();
    const before = await sizes();
    for (let recorded = 0; recorded < activities; recorded += 40) {
      await Promise.all(Array.from({ length: 40 }, record));
    }

    expect(await sizes()).toEqual(before);
  });
});

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
    const fresh = await leadWorld();
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
    const stranger = await leadWorld();
    const body = { stageId: stranger.stage('Lost') };
    const answer = await world.ask(moveLeadStage, { params: { lead_id: id }, body });
    expect([answer.status, answer.body.message]).toEqual([
      400,
      ["stageId must be a stage in the lead's pipeline"],
    ]);
  });
});

describe('adding an activity', () => {
  it('puts it first in the lead\u2019s list and rejects reserved types', async () => {
    const { id } = await world.newLead();
    const params = { lead_id: id };
    const body = { type: 'PHONE_CALL', description: 'Called', metadata: { seconds: 120 } };
    const recorded = await world.ask(createLeadActivity, { params, body });
    expect(recorded.status).toBe(201);
    expect(recorded.body.activity).toMatchObject({ ...body, leadId: id });
    const { activities } = (await world.ask(getLead, { params })).body.lead;
    expect(activities).toEqual([recorded.body.activity]);
    const own = await world.ask(createLeadActivity, {
      params,
      body: { ...body, type: 'STAGE_CHANGED' },
    });
    expect(own.status).toBe(400);
    const tooLarge = Number.MAX_SAFE_INTEGER + 1;
    for (const metadata of [
      { '': 1 },
      { a: { '': 1 } },
      { a: [1e300] },
      { a: tooLarge },
      { a: -tooLarge },
      { a: 'x\u0000' },
    ]) {
      const unstorable = await world.ask(createLeadActivity, {
        params,
        body: { ...body, metadata },
      });
      expect([unstorable.status, unstorable.body.message]).toEqual([
        400,
        [expect.stringMatching(/^metadata /)],
      ]);
    }
    const nowhere = await world.ask(createLeadActivity, {
      params: { lead_id: randomUUID() },
      body,
    });
    expect([nowhere.status, nowhere.body.message]).toEqual(notFound);
  });

  it('keeps every exactly representable number and any name except reserved ones', async () => {
    const { id } = await world.newLead();
    const metadata = {
      most: Number.MAX_SAFE_INTEGER,
      least: Number.MIN_SAFE_INTEGER,
      small: 1e-130,
      none: 0,
      length: { name: 'Set', size: [1] },
      hasOwnProperty: true,
    };
    const params = { lead_id: id };
    const body = { type: 'NOTE', description: 'Figures', metadata };
    expect((await world.ask(createLeadActivity, { params, body })).status).toBe(201);
    expect((await world.ask(getLead, { params })).body.lead.activities[0].metadata).toEqual(
      metadata,
    );
  });
});

describe('deleting a lead', () => {
  it('removes it and all of its data, and updates the counts', async () => {
    const fresh = await leadWorld();
    const { id } = await fresh.newLead({ value: 10 });
    const params = { lead_id: id };
    await fresh.ask(moveLeadStage, { params, body: { stageId: fresh.stage('Lost') } });
    expect((await fresh.ask(deleteLead, { params })).status).toBe(200);
    for (const gone of [getLead, deleteLead]) {
      const answer = await fresh.ask(gone, { params });
      expect([answer.status, answer.body.message]).toEqual(notFound);
    }
    const { stats } = (await fresh.ask(getLeadStats)).body;
    expect(stats).toMatchObject({ totalLeads: 0, lostLeads: 0, totalValue: 0 });
    await drainWork();
    const left = (await storedItems()).filter(({ pk }) => String(pk).includes(`LEAD#${id}`));
    expect(left).toEqual([]);
  });
});
