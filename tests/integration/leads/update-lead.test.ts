import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { getLead, listLeads, updateLead } from '#schemas/leads.ts';
import { removeMember } from '#schemas/organizations.ts';
import { newMember } from '#tests/support/accounts.ts';
import { atOnce } from '#tests/support/depth.ts';
import { mailsTo } from '#tests/support/mails.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

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

  it('emails a new assignee once, unless they assigned themselves', async () => {
    const member = await newMember(world.owner, 'MEMBER');
    const params = { lead_id: (await world.newLead()).id };
    const body = { assignedToId: member.userId };
    const mails = async () =>
      (await mailsTo(member.email)).filter(({ subject }) => subject.startsWith('The lead'));
    for (let time = 0; time < 2; time += 1) {
      await world.ask(updateLead, { params, body });
    }
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain(`/leads/${params.lead_id}`);

    await world.ask(updateLead, { params, body: { assignedToId: null } });
    await world.ask(updateLead, { params, body, token: member.token });
    expect(await mails()).toHaveLength(1);
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

  it('keeps all of many concurrent changes to different fields', async () => {
    const { id } = await world.newLead({ value: 1 });
    const params = { lead_id: id };
    const bodies = [{ value: 7 }, { notes: 'seven' }, { assignedToId: world.owner.userId }];
    await Promise.all(
      Array.from({ length: atOnce(20) }, (_, index) =>
        world.ask(updateLead, { params, body: bodies[index % 3] }),
      ),
    );
    const { lead } = (await world.ask(getLead, { params })).body;
    expect(lead).toMatchObject({ value: 7, notes: 'seven', assignedToId: world.owner.userId });
  });
});
