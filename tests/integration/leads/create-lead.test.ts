import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { getConversation } from '#schemas/conversations.ts';
import {
  convertConversation,
  createContact,
  createLead,
  createLeadWithContact,
  createPipeline,
  getContact,
  listContacts,
  listLeads,
} from '#schemas/leads.ts';
import { freshEmail, newMember } from '#tests/support/accounts.ts';
import { storeConversation } from '#tests/support/conversations.ts';
import { atOnce } from '#tests/support/depth.ts';
import { type LeadWorld, leadWorld } from './world.ts';

let world: LeadWorld;

beforeAll(async () => {
  world = await leadWorld();
});

async function newContactId(): Promise<string> {
  const body = { name: 'Charles Babbage', email: freshEmail('charles') };

  return (await world.ask(createContact, { body })).body.contact.id;
}

describe('creating a lead for a contact', () => {
  it('starts in the first stage of its pipeline as NEW, with all given values', async () => {
    const contactId = await newContactId();
    const details = {
      contactId,
      pipelineId: world.pipeline.id,
      source: 'website',
      value: 50_000,
      notes: 'Ten engines',
      utmSource: 'newsletter',
      utmMedium: 'email',
      utmCampaign: 'spring',
    };
    const answer = await world.ask(createLead, { body: details });

    expect(answer.status).toBe(201);
    expect(answer.body.lead).toMatchObject({
      ...details,
      stageId: world.stage('New'),
      status: 'NEW',
      converted: false,
      convertedAt: null,
      assignedToId: null,
      contact: { id: contactId, name: 'Charles Babbage' },
      pipeline: { id: world.pipeline.id, name: 'Sales Pipeline' },
      stage: { name: 'New', order: 1 },
    });
  });

  it('is rejected if the contact has one in the pipeline, and allowed in another pipeline', async () => {
    const contactId = await newContactId();
    const body = { contactId, pipelineId: world.pipeline.id, source: 'chat' };
    const other = await world.ask(createPipeline, { body: { name: 'Partners' } });

    expect((await world.ask(createLead, { body })).status).toBe(201);
    const second = await world.ask(createLead, { body });
    expect(second.status).toBe(409);
    expect(second.body.message).toBe('Lead already exists for this contact and pipeline');
    const elsewhere = { ...body, pipelineId: other.body.pipeline.id };
    expect((await world.ask(createLead, { body: elsewhere })).status).toBe(201);
  });

  it('is rejected for another organization\u2019s contact or pipeline', async () => {
    const stranger = await leadWorld();
    const theirs = (await stranger.newLead()).contactId;
    const own = await newContactId();
    const withTheirContact = await world.ask(createLead, {
      body: { contactId: theirs, pipelineId: world.pipeline.id, source: 'chat' },
    });
    const withTheirPipeline = await world.ask(createLead, {
      body: { contactId: own, pipelineId: stranger.pipeline.id, source: 'chat' },
    });

    expect([withTheirContact.status, withTheirContact.body.message]).toEqual([
      404,
      "Contact not found or you don't have access",
    ]);
    expect([withTheirPipeline.status, withTheirPipeline.body.message]).toEqual([
      404,
      "Pipeline not found or you don't have access",
    ]);
  });

  it('is allowed for a MEMBER and denied to a VIEWER', async () => {
    const [member, viewer] = [
      await newMember(world.owner, 'MEMBER'),
      await newMember(world.owner, 'VIEWER'),
    ];
    const body = { contactId: await newContactId(), pipelineId: world.pipeline.id, source: 'x' };
    const refused = await world.ask(createLead, { body, token: viewer.token });

    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Insufficient permissions for this operation',
    ]);
    expect((await world.ask(createLead, { body, token: member.token })).status).toBe(201);
  });
});

describe('creating a lead with a contact', () => {
  it('uses the contact with the same address and fills in its missing values', async () => {
    const email = freshEmail('mary');
    const known = (
      await world.ask(createContact, { body: { name: 'Mary', email, company: 'Orrery' } })
    ).body.contact;
    const answer = await world.ask(createLeadWithContact, {
      body: {
        contact: { name: 'Somebody', email: email.toUpperCase(), phone: '+44 1', company: 'Other' },
        pipelineId: world.pipeline.id,
        source: 'website',
      },
    });

    expect(answer.status).toBe(201);
    const merged = { id: known.id, name: 'Mary', email, phone: '+44 1', company: 'Orrery' };
    expect(answer.body.contact).toMatchObject(merged);
    const stored = await world.ask(getContact, { params: { contact_id: known.id } });
    expect(stored.body.contact).toMatchObject(merged);
  });

  it('creates one lead and one contact for concurrent requests with a new address', async () => {
    const { ask, pipeline } = await leadWorld();
    const contact = { name: 'Mary Somerville', email: 'Mary@Example.com' };
    const body = { contact, pipelineId: pipeline.id, source: 'chat' };
    const answers = await Promise.all(
      Array.from({ length: atOnce(50) }, () => ask(createLeadWithContact, { body })),
    );
    const answered = new Set(
      answers.map(({ status, body: { message } }) => `${status} ${message}`),
    );

    expect([...answered].sort()).toEqual([
      '201 Lead created successfully',
      '409 Lead already exists for this contact and pipeline',
    ]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await ask(listLeads)).body.pagination.total).toBe(1);
    expect((await ask(listContacts)).body.pagination.total).toBe(1);
  });

  it('names the invalid field of the contact', async () => {
    const answer = await world.ask(createLeadWithContact, {
      body: { contact: { name: 'Mary', email: 'no' }, pipelineId: world.pipeline.id, source: 'x' },
    });

    expect(answer.body.message).toEqual(['contact.email must be an email']);
  });
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
    expect(conversation.leadId).toBe(answer.body.lead.id);
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
