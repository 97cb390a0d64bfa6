import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { moveConversations } from '#lib/features/leads/contacts/contact-conversations.ts';
import { getConversation, listConversations } from '#schemas/conversations.ts';
import { convertConversation, deleteContact, deleteLead, mergeContacts } from '#schemas/leads.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import type { Answer } from '#tests/support/api.ts';
import { storedItems } from '#tests/support/table.ts';
import { type ContactSetup, contactSetup } from '../leads/setup.ts';

let world: ContactSetup;

beforeEach(async () => {
  world = await contactSetup();
});

async function converted(): Promise<{ conversation: Conversation; made: Answer['body'] }> {
  const conversation = await storeConversation(world.owner.organizationId, {
    customer: { id: `fb-${randomUUID()}`, name: 'Charles Babbage' },
  });
  const body = { conversationId: conversation.id, pipelineId: world.pipeline.id, source: 'social' };

  return { conversation, made: (await world.ask(convertConversation, { body })).body };
}

async function contactOf({ id }: Conversation): Promise<string | null> {
  const params = { conversation_id: id };

  return (await world.ask(getConversation, { params })).body.conversation.contactId;
}

async function found(query: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { conversations } = (await world.ask(listConversations, { query })).body;

  return conversations.map(({ id }: { readonly id: string }) => id);
}

/** Returns the ids of the conversations that are listed under a contact. */
async function listedUnder(contactId: string): Promise<readonly string[]> {
  const items = await storedItems(`ORG#${world.owner.organizationId}#CONTACT#${contactId}`);

  return items.filter(({ sk }) => sk.startsWith('CONVERSATION#')).map(({ sk }) => sk.slice(13));
}

describe('the contact of a conversation', () => {
  it('is null until the conversation has a lead', async () => {
    const conversation = await storeConversation(world.owner.organizationId);

    expect(await contactOf(conversation)).toBeNull();
  });

  it('is the contact of its lead, and is a filter in the list of conversations', async () => {
    const { conversation, made } = await converted();
    const { conversation: other } = await converted();

    expect(await contactOf(conversation)).toBe(made.contact.id);
    expect(await found({ contactId: made.contact.id })).toEqual([conversation.id]);
    expect(await found({ leadId: made.lead.id })).toEqual([conversation.id]);
    expect(await found({ leadId: made.lead.id, status: 'CLOSED' })).toEqual([]);
    expect(await found({})).toEqual([other.id, conversation.id]);
  });

  it('is the remaining contact after a merge', async () => {
    const { conversation, made } = await converted();
    const { id: contactId } = await world.newContact();
    const params = { contact_id: contactId };
    const body = { duplicateId: made.contact.id };

    expect((await world.ask(mergeContacts, { params, body })).status).toBe(200);
    expect(await contactOf(conversation)).toBe(contactId);
    expect(await found({ contactId })).toEqual([conversation.id]);
    expect(await found({ leadId: made.lead.id })).toEqual([conversation.id]);
    expect(await listedUnder(made.contact.id)).toEqual([]);
  });

  it('is null after the contact was deleted', async () => {
    const { conversation, made } = await converted();
    await world.ask(deleteLead, { params: { lead_id: made.lead.id } });
    const params = { contact_id: made.contact.id };

    expect((await world.ask(deleteContact, { params })).status).toBe(200);
    expect(await contactOf(conversation)).toBeNull();
    expect(await listedUnder(made.contact.id)).toEqual([]);
  });

  it('is kept while a contact that has leads cannot be deleted', async () => {
    const { conversation, made } = await converted();

    const { status } = await world.ask(deleteContact, { params: { contact_id: made.contact.id } });
    expect(status).toBe(409);
    expect(await contactOf(conversation)).toBe(made.contact.id);
  });

  it('is kept if the contact gets a lead while it is being deleted', async () => {
    const { conversation, made } = await converted();
    const { organizationId } = world.owner;

    await expect(moveConversations(organizationId, made.contact.id)).rejects.toThrow();
    expect(await contactOf(conversation)).toBe(made.contact.id);
  });

  it('changes for more than a hundred conversations', async () => {
    const { organizationId } = world.owner;
    const [former, next] = [await world.newContact(), await world.newContact()];
    await Promise.all(
      Array.from({ length: 101 }, () =>
        storeConversation(organizationId, { leadContactId: former.id, leadId: randomUUID() }),
      ),
    );

    await moveConversations(organizationId, former.id, next.id);
    expect(await listedUnder(former.id)).toEqual([]);
    expect(await listedUnder(next.id)).toHaveLength(101);
    expect(await found({ contactId: next.id, limit: '100' })).toHaveLength(100);
  });
});
