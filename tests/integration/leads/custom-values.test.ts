import { beforeAll, describe, expect, it } from 'vitest';
import { createCustomField } from '#schemas/custom-fields.ts';
import {
  createContact,
  createLead,
  exportLeads,
  getContact,
  getLead,
  importLeads,
  listContacts,
  listLeads,
  mergeContacts,
  updateContact,
  updateLead,
} from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { type LeadSetup, leadSetup } from './setup.ts';

let world: LeadSetup;

const fields = [
  { key: 'remark', type: 'TEXT', appliesTo: 'LEAD' },
  { key: 'budget', type: 'NUMBER', appliesTo: 'LEAD' },
  { key: 'visit', type: 'DATE', appliesTo: 'LEAD' },
  { key: 'urgent', type: 'BOOLEAN', appliesTo: 'LEAD' },
  { key: 'size', type: 'SELECT', options: ['Small', 'Large'], appliesTo: 'LEAD' },
  { key: 'city', type: 'TEXT', appliesTo: 'CONTACT' },
];
const all = {
  remark: 'calls back',
  budget: 1.5,
  visit: '2026-02-28',
  urgent: false,
  size: 'Large',
};

beforeAll(async () => {
  world = await leadSetup();
  for (const field of fields) {
    await world.ask(createCustomField, { body: { label: 'A field', ...field } });
  }
});

const change = (leadId: string, customFields: object) =>
  world.ask(updateLead, { params: { lead_id: leadId }, body: { customFields } });

describe('custom fields of a lead', () => {
  it('are stored, listed, merged and cleared', async () => {
    const { id } = await world.newLead({ customFields: all });
    expect((await world.ask(getLead, { params: { lead_id: id } })).body.lead.customFields).toEqual(
      all,
    );
    const listed = (await world.ask(listLeads)).body.leads;
    expect(listed.find((lead: { id: string }) => lead.id === id).customFields).toEqual(all);
    const changed = await change(id, { budget: 2, urgent: null });
    const { urgent: _, ...others } = all;
    expect(changed.body.lead.customFields).toEqual({ ...others, budget: 2 });
    const again = await change(id, { budget: 2, urgent: null });
    expect(again.body.lead.updatedAt).toBe(changed.body.lead.updatedAt);
  });

  it('keep the changes of concurrent requests', async () => {
    const { id } = await world.newLead();
    const { remark, budget, visit } = all;
    await Promise.all([{ remark }, { budget }, { visit }].map((given) => change(id, given)));
    const read = await world.ask(getLead, { params: { lead_id: id } });
    expect(read.body.lead.customFields).toEqual({ remark, budget, visit });
  });

  it.each([
    ['remark', 5],
    ['remark', 'x'.repeat(1_001)],
    ['budget', '5'],
    ['budget', true],
    ['visit', '2026-02-30'],
    ['visit', '2026-02-28T00:00:00Z'],
    ['urgent', 'true'],
    ['size', 'small'],
    ['city', 'Berlin'],
    ['unknown', 'x'],
  ])('reject %s with %j', async (key, value) => {
    const { id } = await world.newLead();
    const refused = await change(id, { [key]: value });
    expect([refused.status, refused.body.message.join()]).toEqual([
      400,
      expect.stringContaining(`customFields.${key}`),
    ]);
  });

  it('are validated wherever a lead is created', async () => {
    const contact = { name: 'Ada', email: freshEmail('ada') };
    const { id } = (await world.ask(createContact, { body: contact })).body.contact;
    const body = { contactId: id, pipelineId: world.pipeline.id, source: 'website' };
    const refused = await world.ask(createLead, { body: { ...body, customFields: { size: 1 } } });
    expect(refused.status).toBe(400);
    const created = await world.ask(createLead, { body: { ...body, customFields: all } });
    expect(created.body.lead.customFields).toEqual(all);
  });
});

describe('custom fields of a contact', () => {
  it('are stored, listed, changed and kept by a merge', async () => {
    const body = { name: 'Ada', email: freshEmail('ada'), customFields: { city: 'Berlin' } };
    const { contact } = (await world.ask(createContact, { body })).body;
    expect(contact.customFields).toEqual({ city: 'Berlin' });
    const params = { contact_id: contact.id };
    const change = { params, body: { customFields: { city: 'Ulm' } } };
    expect((await world.ask(updateContact, change)).body.contact.customFields.city).toBe('Ulm');
    const listed = (await world.ask(listContacts)).body.contacts;
    expect(listed[0].customFields).toEqual({ city: 'Ulm' });
    const other = { name: 'Ada', email: freshEmail('ada') };
    const { id } = (await world.ask(createContact, { body: other })).body.contact;
    await world.ask(mergeContacts, {
      params: { contact_id: id },
      body: { duplicateId: contact.id },
    });
    const merged = await world.ask(getContact, { params: { contact_id: id } });
    expect(merged.body.contact.customFields).toEqual({ city: 'Ulm' });
  });

  it('are set with a new lead, and add missing values to a known contact', async () => {
    const email = freshEmail('known');
    const newLead = (customFields: object, pipelineId = world.pipeline.id) =>
      world.newLead({ pipelineId, contact: { name: 'Bob', email, customFields } });
    await expect(newLead({ remark: 'of a lead' })).rejects.toThrow('400');
    const lead = await newLead({ city: 'Berlin' });
    const read = await world.ask(getContact, { params: { contact_id: lead.contactId } });
    expect(read.body.contact.customFields).toEqual({ city: 'Berlin' });
  });
});

describe('custom fields in files', () => {
  it('are exported, and imported again with their types', async () => {
    const contact = { name: 'Eve', email: freshEmail('eve'), customFields: { city: 'Bonn' } };
    await world.newLead({ source: 'exported', contact, customFields: all });
    const csv = (await world.ask(exportLeads, { query: { source: 'exported' } })).body;
    const other = await leadSetup();
    for (const field of fields) {
      await other.ask(createCustomField, { body: { label: 'A field', ...field } });
    }
    const imported = (await other.ask(importLeads, { body: { csv } })).body.import;
    const [{ leadId, contactId }] = imported.rows;
    const { lead } = (await other.ask(getLead, { params: { lead_id: leadId } })).body;
    const read = await other.ask(getContact, { params: { contact_id: contactId } });
    expect([lead.customFields, read.body.contact.customFields]).toEqual([all, { city: 'Bonn' }]);
  });

  it('reject rows with values of another type', async () => {
    const csv = `name,email,customFields.budget\nAda,${freshEmail('ada')},much\n`;
    const { rows } = (await world.ask(importLeads, { body: { csv } })).body.import;
    expect(rows[0]).toMatchObject({
      outcome: 'REFUSED',
      reason: 'customFields.budget must be a number',
    });
  });
});
