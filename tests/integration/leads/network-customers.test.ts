import { describe, expect, it } from 'vitest';
import { newId } from '#lib/platform/ids.ts';
import {
  convertConversation,
  createPipeline,
  deleteContact,
  deleteLead,
  updateContact,
} from '#schemas/leads.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { contactSetup } from './setup.ts';

const world = await contactSetup();

describe('a customer of a network', () => {
  const customer = () => ({ id: newId(), name: 'Beatrice' });

  /** Stores a message from the customer to a new account, and creates a lead from it. */
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
    const other = await world.newContact();

    expect((await patch(other.id, standIn)).status).toBe(409);
    expect((await patch(id, standIn)).body.contact).toEqual(contact);
    expect((await patch(id, freshEmail('bea'))).status).toBe(200);
    expect((await patch(other.id, standIn)).status).toBe(409);
    await world.ask(deleteLead, { params: { lead_id: lead.id } });
    await world.ask(deleteContact, { params: { contact_id: id } });
    expect((await patch(other.id, standIn)).status).toBe(200);
  });
});
