import { describe, expect, it } from 'vitest';
import { createContact, createLead, createPipeline } from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

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

  it('is rejected if the contact has a lead in the pipeline, and allowed in another pipeline', async () => {
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
});
