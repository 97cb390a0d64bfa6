import { describe, expect, it } from 'vitest';
import { getContact } from '#schemas/leads.ts';
import { contactSetup } from './setup.ts';

const world = await contactSetup();

describe('getting a contact', () => {
  it('returns it as it was created', async () => {
    const contact = await world.newContact();
    const { status, body } = await world.ask(getContact, { params: { contact_id: contact.id } });

    expect([status, body.contact]).toEqual([200, contact]);
  });
});
