import { describe, expect, it } from 'vitest';
import { createContact } from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

describe('creating a contact', () => {
  it('returns the given values, and null for the others', async () => {
    const body = { name: 'Charles Babbage', email: freshEmail('c'), phone: '+44 20 7946 0018' };
    const created = await world.ask(createContact, { body });

    expect(created.status).toBe(201);
    expect(created.body.contact).toMatchObject({ ...body, company: null });
  });

  it('returns 409 for an address that a contact of the organization already has', async () => {
    const body = { name: 'Charles Babbage', email: freshEmail('c') };
    await world.ask(createContact, { body });
    const again = { name: 'Ada', email: body.email.toUpperCase() };

    expect((await world.ask(createContact, { body: again })).status).toBe(409);
    expect((await (await leadSetup()).ask(createContact, { body: again })).status).toBe(201);
  });

  it('treats both spellings of an international domain as one address', async () => {
    const email = freshEmail('c').replace(/@.*/, '@Bücher.example');
    const created = await world.ask(createContact, { body: { name: 'Ada', email } });
    const stored = email.replace('Bücher', 'xn--bcher-kva');
    const again = await world.ask(createContact, { body: { name: 'Ada', email: stored } });

    expect(created.body.contact.email).toBe(stored);
    expect(again.status).toBe(409);
  });
});
