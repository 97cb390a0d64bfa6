import { beforeEach, describe, expect, it } from 'vitest';
import { getConversation } from '#schemas/conversations.ts';
import { getContact } from '#schemas/leads.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { eraseCustomer } from '#schemas/persons.ts';
import { drainWork } from '#tests/support/work.ts';
import { type ErasureSetup, erasureSetup } from '../leads/erasure-setup.ts';

let world: ErasureSetup;

beforeEach(async () => {
  world = await erasureSetup();
});

const erase = (conversationId: string) =>
  world.ask(eraseCustomer, { params: { conversation_id: conversationId } });

const nowhere = { items: [], files: [], queues: [], log: [] };

describe('erasing the customer of a conversation', () => {
  it('removes a person without a contact everywhere', async () => {
    const conversationId = await world.chat();
    expect(await world.contacts()).toEqual([]);
    expect((await world.finds()).items.length).toBeGreaterThan(5);

    const { status, body } = await erase(conversationId);
    await drainWork();

    expect(status).toBe(201);
    expect(await world.finds()).toEqual(nowhere);
    expect(await world.storedFiles()).toEqual([]);
    expect(await world.erasureOf(body.erasure.id)).toMatchObject({
      status: 'DONE',
      removed: { leads: 0, conversations: 2, messages: 2, files: 1 },
    });
    const { entries } = (await world.ask(listAuditLog)).body;
    expect(entries[0]).toMatchObject({ action: 'contact.erased', details: expect.anything() });
    const params = { conversation_id: conversationId };
    expect((await world.ask(getConversation, { params })).status).toBe(404);
  });

  it('removes the contact of the person, too', async () => {
    await world.converse();
    const [contact] = await world.contacts();
    const [conversation] = await world.conversations();
    const params = { contact_id: contact.id };

    expect((await erase(conversation.id)).status).toBe(201);
    expect((await world.ask(getContact, { params })).status).toBe(404);
    await drainWork();
    expect(await world.finds()).toEqual(nowhere);
  });

  it('returns the pending erasure when repeated, and 404 afterwards', async () => {
    const conversationId = await world.chat();
    const first = await erase(conversationId);
    const second = await erase(conversationId);
    expect(second.body).toEqual(first.body);
    await drainWork();

    expect((await erase(conversationId)).status).toBe(404);
    expect((await erase(crypto.randomUUID())).status).toBe(404);
  });
});
