import { beforeAll, describe, expect, it } from 'vitest';
import { getContact } from '#schemas/leads.ts';
import { type ContactWorld, contactWorld } from './contact-world.ts';

let world: ContactWorld;

beforeAll(async () => {
  world = await contactWorld();
});

describe('getting a contact', () => {
  it('returns it as it was created', async () => {
    const contact = await world.newContact();
    const { status, body } = await world.ask(getContact, { params: { contact_id: contact.id } });

    expect([status, body.contact]).toEqual([200, contact]);
  });

  it("returns 404 for another organization's contact", async () => {
    const { id } = await (await contactWorld()).newContact();
    const { status, body } = await world.ask(getContact, { params: { contact_id: id } });

    expect([status, body.message]).toEqual([404, "Contact not found or you don't have access"]);
  });
});
