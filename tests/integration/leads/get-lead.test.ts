import { describe, expect, it } from 'vitest';
import { createLeadActivity, getLead } from '#schemas/leads.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

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
});
