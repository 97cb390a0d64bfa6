import { describe, expect, it } from 'vitest';
import { createContact, getContact, listLeadTags, updateContact } from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

describe('the tags of an organization', () => {
  it('are the tags of its leads, the most frequent ones first', async () => {
    await world.newLead({ tags: ['rare', 'common'] });
    await world.newLead({ tags: ['common'] });
    const body = { name: 'Ada', email: freshEmail('ada'), tags: ['of a contact'] };
    await world.ask(createContact, { body });
    const listed = await world.ask(listLeadTags);
    expect(listed.body.tags).toEqual([
      { tag: 'common', count: 2 },
      { tag: 'rare', count: 1 },
    ]);
  });
});

describe('the tags of a contact', () => {
  it('are set, replaced and cleared with the contact', async () => {
    const body = { name: 'Ada', email: freshEmail('ada'), tags: ['vip', 'vip', 'new'] };
    const created = await world.ask(createContact, { body });
    expect(created.body.contact.tags).toEqual(['vip', 'new']);
    const params = { contact_id: created.body.contact.id };
    const updated = await world.ask(updateContact, { params, body: { tags: ['old'] } });
    expect(updated.body.contact.tags).toEqual(['old']);
    await world.ask(updateContact, { params, body: { name: 'Ada L.' } });
    expect((await world.ask(getContact, { params })).body.contact.tags).toEqual(['old']);
    const cleared = await world.ask(updateContact, { params, body: { tags: null } });
    expect(cleared.body.contact.tags).toEqual([]);
  });
});
