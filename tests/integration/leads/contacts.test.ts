import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#lib/platform/ids.ts';
import {
  convertConversation,
  createContact,
  createPipeline,
  deleteContact,
  deleteLead,
  getContact,
  listContacts,
  updateContact,
} from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { storeConversation } from '#tests/support/conversations.ts';
import { type LeadWorld, leadWorld } from './world.ts';

let world: LeadWorld;

beforeAll(async () => {
  world = await leadWorld();
});

async function newContact(details: Readonly<Record<string, unknown>> = {}) {
  const body = { name: 'Charles Babbage', email: freshEmail('c'), ...details };

  return (await world.ask(createContact, { body })).body.contact;
}

async function search(words: string): Promise<readonly string[]> {
  const { contacts } = (await world.ask(listContacts, { query: { search: words } })).body;

  return contacts.map(({ id }: { id: string }) => id);
}

describe('contacts', () => {
  it('are found by word prefixes, ignoring case and accents', async () => {
    const zoe = await newContact({
      name: 'Zo\u00eb M\u00fcller',
      company: 'Orrery \u0413\u043c\u0431\u0425',
    });
    for (const words of ['zoe', 'ZO\u00cb m\u00fcl', 'mull orr', '\u0433\u043c\u0431']) {
      expect(await search(words)).toContain(zoe.id);
    }
    for (const words of ['oe', 'zoe babbage', 'nobody']) {
      expect(await search(words)).not.toContain(zoe.id);
    }
  });

  it('are found ignoring case in every script', async () => {
    const wanted = await newContact({ name: 'Κώστας Işık', company: 'Weißbräu' });
    for (const words of ['ΚΩΣ', 'κώστας', 'IŞIK', 'isik', 'WEISSBRÄU', 'weißb']) {
      expect(await search(words)).toContain(wanted.id);
    }
  });

  it('are found by their current values only', async () => {
    const contact = await newContact({ name: 'Quentin' });
    const params = { contact_id: contact.id };
    await world.ask(updateContact, { params, body: { name: 'Roderick' } });
    expect(await search('roderick')).toEqual([contact.id]);
    expect(await search('quentin')).toEqual([]);
  });

  it('release an address when it changes', async () => {
    const contact = await newContact();
    const params = { contact_id: contact.id };
    const email = freshEmail('new');
    const changed = await world.ask(updateContact, { params, body: { email, phone: null } });
    expect(changed.body.contact).toMatchObject({ email, phone: null });
    expect((await newContact({ email: contact.email })).email).toBe(contact.email);
    const taken = await world.ask(updateContact, { params, body: { email: contact.email } });
    expect(taken.status).toBe(409);
  });

  it('are listed newest first with the exact total', async () => {
    const fresh = await leadWorld();
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const body = { name: `N${index}`, email: freshEmail() };
      made.unshift((await fresh.ask(createContact, { body })).body.contact.id);
    }
    const query = { limit: '2', page: '2' };
    const { contacts, pagination } = (await fresh.ask(listContacts, { query })).body;
    expect(contacts.map(({ id }: { id: string }) => id)).toEqual(made.slice(2, 4));
    expect(pagination).toMatchObject({ total: 5, hasMore: true });
  });

  it('can be deleted only without leads', async () => {
    const lead = await world.newLead();
    const params = { contact_id: lead.contactId };
    const refused = await world.ask(deleteContact, { params });
    expect([refused.status, refused.body.message]).toEqual([409, 'Contact still has 1 lead']);
    await world.ask(deleteLead, { params: { lead_id: lead.id } });
    expect((await world.ask(deleteContact, { params })).status).toBe(200);
    expect((await world.ask(getContact, { params })).status).toBe(404);
  });
});

describe('a customer of a network', () => {
  const customer = () => ({ id: newId(), name: 'Beatrice' });

  /** Stores a message from the customer to a new account of ours, and creates a lead from it. */
  async function writes(who: ReturnType<typeof customer>, pipelineId = world.pipeline.id) {
    const { id: conversationId } = await storeConversation(world.owner.organizationId, {
      customer: who,
    });

    return world.ask(convertConversation, {
      body: { conversationId, pipelineId, source: 'social' },
    });
  }

  function patch(contactId: string, email: string) {
    return world.ask(updateContact, { params: { contact_id: contactId }, body: { email } });
  }

  it('remains the same contact after an address is entered', async () => {
    const who = customer();
    const { contact } = (await writes(who)).body;
    const email = freshEmail('bea');
    const changed = (await patch(contact.id, email)).body.contact;
    const { pipeline } = (await world.ask(createPipeline, { body: { name: newId() } })).body;
    const again = await writes(who, pipeline.id);

    expect(changed).toEqual({ ...contact, email });
    expect(again.body.contact).toEqual(changed);
    expect((await writes(who)).status).toBe(409);
  });

  it('keeps its placeholder address reserved until the contact is deleted', async () => {
    const { contact, lead } = (await writes(customer())).body;
    const { id, email: standIn } = contact;
    await patch(id, freshEmail('bea'));
    const other = await newContact();

    expect((await patch(other.id, standIn)).status).toBe(409);
    expect((await patch(id, standIn)).body.contact).toEqual(contact);
    expect((await patch(id, freshEmail('bea'))).status).toBe(200);
    expect((await patch(other.id, standIn)).status).toBe(409);
    await world.ask(deleteLead, { params: { lead_id: lead.id } });
    await world.ask(deleteContact, { params: { contact_id: id } });
    expect((await patch(other.id, standIn)).status).toBe(200);
  });
});
