import { describe, expect, it } from 'vitest';
import { updateContact } from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { overtake } from '#tests/support/overtake.ts';
import { contactSetup } from './setup.ts';

const world = await contactSetup();

describe('contacts', () => {
  it('release an address that replaced another one concurrently', async () => {
    const { id } = await world.newContact();
    const [first, second] = [freshEmail('first'), freshEmail('second')];
    const changeTo = (email: string) => () =>
      world.ask(updateContact, { params: { contact_id: id }, body: { email } });
    await overtake({ begin: changeTo(first) }, changeTo(second));

    expect((await world.newContact({ email: second })).email).toBe(second);
  });

  it('release an address when it changes', async () => {
    const contact = await world.newContact();
    const params = { contact_id: contact.id };
    const email = freshEmail('new');
    const changed = await world.ask(updateContact, { params, body: { email, phone: null } });
    expect(changed.body.contact).toMatchObject({ email, phone: null });
    expect((await world.newContact({ email: contact.email })).email).toBe(contact.email);
    const taken = await world.ask(updateContact, { params, body: { email: contact.email } });
    expect(taken.status).toBe(409);
  });
});
