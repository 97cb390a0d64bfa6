import { describe, expect, it } from 'vitest';
import { createCustomField, updateCustomField } from '#schemas/custom-fields.ts';
import { getLead, updateLead } from '#schemas/leads.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

async function newField(given: object) {
  const body = { label: 'A field', type: 'SELECT', appliesTo: 'LEAD', ...given };

  return (await world.ask(createCustomField, { body })).body.field;
}

describe('updating a custom field', () => {
  it('changes label and options, and keeps values that are no longer options', async () => {
    const field = await newField({ key: 'size', options: ['S', 'L'] });
    const { id } = await world.newLead({ customFields: { size: 'S' } });
    const params = { field_id: field.id };
    const body = { label: 'Size', options: ['M'] };
    const updated = await world.ask(updateCustomField, { params, body });
    expect(updated.body.field).toMatchObject({ ...body, key: 'size' });
    const lead = { params: { lead_id: id } };
    expect((await world.ask(getLead, lead)).body.lead.customFields).toEqual({ size: 'S' });
    const refused = await world.ask(updateLead, { ...lead, body: { customFields: { size: 'L' } } });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: ['customFields.size must be one of: M'] },
    });
  });

  it('rejects options of a field that has none', async () => {
    const field = await newField({ key: 'free', type: 'TEXT' });
    const params = { field_id: field.id };
    const refused = await world.ask(updateCustomField, { params, body: { options: ['a'] } });
    expect(refused.status).toBe(400);
  });
});
