import { beforeAll, describe, expect, it } from 'vitest';
import { createLeadActivity, getLead } from '#schemas/leads.ts';
import { type LeadWorld, leadWorld } from './world.ts';

let world: LeadWorld;

beforeAll(async () => {
  world = await leadWorld();
});

describe('getting a lead', () => {
  it('returns it with its activities, newest first', async () => {
    const lead = await world.newLead({ value: 10 });
    const params = { lead_id: lead.id };
    for (const description of ['first', 'second']) {
      await world.ask(createLeadActivity, { params, body: { type: 'NOTE', description } });
    }
    const { status, body } = await world.ask(getLead, { params });

    expect(status).toBe(200);
    expect(body.lead).toMatchObject({ id: lead.id, value: 10, contactId: lead.contactId });
    expect(body.lead.activities).toMatchObject([
      { description: 'second' },
      { description: 'first' },
    ]);
  });

  it("returns 404 for another organization's lead", async () => {
    const { id } = await (await leadWorld()).newLead();
    const { status, body } = await world.ask(getLead, { params: { lead_id: id } });

    expect([status, body.message]).toEqual([404, "Lead not found or you don't have access"]);
  });
});
