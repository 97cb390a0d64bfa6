import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { getConversation } from '#schemas/conversations.ts';
import { convertConversation } from '#schemas/leads.ts';
import { storeConversation } from '#tests/support/conversations.ts';
import { type LeadWorld, leadWorld } from './world.ts';

let world: LeadWorld;

beforeAll(async () => {
  world = await leadWorld();
});

describe('converting a conversation', () => {
  async function newConversationId(): Promise<string> {
    const customer = { id: `ig-${randomUUID()}`, name: 'Ada L.' };
    const { id } = await storeConversation(world.owner.organizationId, {
      platform: 'INSTAGRAM',
      customer,
    });

    return id;
  }

  it('creates a lead with a contact for its customer, once', async () => {
    const conversationId = await newConversationId();
    const body = { conversationId, pipelineId: world.pipeline.id, source: 'social' };
    const answer = await world.ask(convertConversation, { body });

    expect(answer.status).toBe(201);
    expect(answer.body.contact.name).toBe('Ada L.');
    expect(answer.body.lead).toMatchObject({ status: 'NEW', source: 'social' });
    expect((await world.ask(convertConversation, { body })).status).toBe(409);
    const params = { conversation_id: conversationId };
    const { conversation } = (await world.ask(getConversation, { params })).body;
    expect(conversation).toMatchObject({
      leadId: answer.body.lead.id,
      contactId: answer.body.contact.id,
    });
  });

  it('returns 404 for an unknown conversation', async () => {
    const body = {
      conversationId: randomUUID(),
      pipelineId: world.pipeline.id,
      source: 'social',
    };
    const answer = await world.ask(convertConversation, { body });

    expect([answer.status, answer.body.message]).toEqual([
      404,
      "Conversation not found or you don't have access",
    ]);
  });
});
