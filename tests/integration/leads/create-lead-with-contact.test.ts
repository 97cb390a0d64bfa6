import { describe, expect, it } from 'vitest';
import {
  createContact,
  createLeadWithContact,
  getContact,
  listContacts,
  listLeads,
} from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { atOnce } from '#tests/support/depth.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

describe('creating a lead with a contact', () => {
  it.each([
    [{ company: 'Orrery' }, { phone: '+44 1', company: 'Orrery' }],
    [{ phone: '+44 2' }, { phone: '+44 2', company: 'Other' }],
  ])('uses the contact with the same address and fills in what %j lacks', async (own, filled) => {
    const email = freshEmail('mary');
    const known = (await world.ask(createContact, { body: { name: 'Mary', email, ...own } })).body
      .contact;
    const answer = await world.ask(createLeadWithContact, {
      body: {
        contact: { name: 'Somebody', email: email.toUpperCase(), phone: '+44 1', company: 'Other' },
        pipelineId: world.pipeline.id,
        source: 'website',
      },
    });

    expect(answer.status).toBe(201);
    const merged = { id: known.id, name: 'Mary', email, ...filled };
    expect(answer.body.contact).toMatchObject(merged);
    const stored = await world.ask(getContact, { params: { contact_id: known.id } });
    expect(stored.body.contact).toMatchObject(merged);
  });

  it('creates one lead and one contact for concurrent requests with a new address', async () => {
    const { ask, pipeline } = await leadSetup();
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

  it('reports the invalid field of the contact', async () => {
    const answer = await world.ask(createLeadWithContact, {
      body: { contact: { name: 'Mary', email: 'no' }, pipelineId: world.pipeline.id, source: 'x' },
    });

    expect(answer.body.message).toEqual(['contact.email must be an email']);
  });

  it('reports the invalid custom fields of the lead and of the contact together', async () => {
    const answer = await world.ask(createLeadWithContact, {
      body: {
        contact: { name: 'Mary', email: freshEmail(), customFields: { none: 1 } },
        pipelineId: world.pipeline.id,
        source: 'x',
        customFields: { nothing: 2 },
      },
    });

    expect(answer.body.message).toEqual([
      'contact.customFields.none is not a custom field of contacts',
      'customFields.nothing is not a custom field of leads',
    ]);
  });
});
