import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { getConversation } from '#schemas/conversations.ts';
import { convertConversation } from '#schemas/leads.ts';
import { createOrganizationWebhook } from '#schemas/organization-webhooks.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

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

  it('fits into one transaction with the maximum of tags and search words', async () => {
    const { organizationId } = world.owner;
    const letters = Array.from({ length: 25 }, (_, index) => String.fromCharCode(97 + index));
    const { id: conversationId } = await storeConversation(organizationId, {
      postId: randomUUID(),
      campaignId: randomUUID(),
      customer: { id: `fb-${randomUUID()}`, name: letters.join(' ') },
    });
    const events = ['lead.created', 'contact.created'];
    const webhook = { url: 'https://example.com/hooks', events };
    expect((await world.ask(createOrganizationWebhook, { body: webhook })).status).toBe(201);
    const body = {
      conversationId,
      pipelineId: world.pipeline.id,
      source: 'social',
      tags: Array.from({ length: 30 }, (_, index) => `tag ${index}`),
    };
    const headers = { 'idempotency-key': randomUUID() };

    const answer = await world.ask(convertConversation, { body, headers });
    expect([answer.status, answer.body.message]).toEqual([
      201,
      'Conversation converted to a lead successfully',
    ]);
  });
});
