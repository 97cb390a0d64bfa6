import { describe, expect, it } from 'vitest';
import { createContact, listContacts, updateContact } from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { contactSetup, leadSetup } from './setup.ts';

const world = await contactSetup();

async function search(words: string): Promise<readonly string[]> {
  const { contacts } = (await world.ask(listContacts, { query: { search: words } })).body;

  return contacts.map(({ id }: { id: string }) => id);
}

describe('contacts', () => {
  it('are found by word prefixes, ignoring case and accents', async () => {
    const zoe = await world.newContact({
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
    const wanted = await world.newContact({ name: 'Κώστας Işık', company: 'Weißbräu' });
    for (const words of ['ΚΩΣ', 'κώστας', 'IŞIK', 'isik', 'WEISSBRÄU', 'weißb']) {
      expect(await search(words)).toContain(wanted.id);
    }
  });

  it('are found by an international domain in both spellings', async () => {
    const email = freshEmail('z').replace(/@.*/, '@Zürich.example');
    const wanted = await world.newContact({ name: 'Zaza', email });
    for (const words of [email, 'zurich', wanted.email]) {
      expect(await search(words)).toContain(wanted.id);
    }
  });

  it('are found by characters outside of the Basic Multilingual Plane', async () => {
    const wanted = await world.newContact({ name: '田𠮷', company: `${'a'.repeat(39)}𠮷` });
    for (const words of ['田', '田𠮷', 'a'.repeat(39)]) {
      expect(await search(words)).toEqual([wanted.id]);
    }
  });

  it('are found by their current values only', async () => {
    const contact = await world.newContact({ name: 'Quentin' });
    const params = { contact_id: contact.id };
    await world.ask(updateContact, { params, body: { name: 'Roderick' } });
    expect(await search('roderick')).toEqual([contact.id]);
    expect(await search('quentin')).toEqual([]);
  });

  it('are listed newest first with the exact total', async () => {
    const fresh = await leadSetup();
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
});
