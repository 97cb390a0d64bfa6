import { createContact } from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { leadWorld } from './world.ts';

export type ContactWorld = Awaited<ReturnType<typeof contactWorld>>;

/** Creates an organization with contacts. */
export async function contactWorld() {
  const world = await leadWorld();

  async function newContact(details: Readonly<Record<string, unknown>> = {}) {
    const body = { name: 'Charles Babbage', email: freshEmail('c'), ...details };

    return (await world.ask(createContact, { body })).body.contact;
  }

  return { ...world, newContact };
}
