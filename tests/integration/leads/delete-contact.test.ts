import { describe, expect, it } from 'vitest';
import { deleteContact, deleteLead, getContact } from '#schemas/leads.ts';
import { contactSetup } from './setup.ts';

const world = await contactSetup();

describe('contacts', () => {
  it('can only be deleted without leads', async () => {
    const lead = await world.newLead();
    const params = { contact_id: lead.contactId };
    const refused = await world.ask(deleteContact, { params });
    expect([refused.status, refused.body.message]).toEqual([409, 'Contact still has 1 lead']);
    await world.ask(deleteLead, { params: { lead_id: lead.id } });
    expect((await world.ask(deleteContact, { params })).status).toBe(200);
    expect((await world.ask(getContact, { params })).status).toBe(404);
  });
});
