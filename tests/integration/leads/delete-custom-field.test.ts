import { expect, it } from 'vitest';
import { createCustomField, deleteCustomField } from '#schemas/custom-fields.ts';
import { exportLeads, getLead } from '#schemas/leads.ts';
import { leadSetup } from './setup.ts';

it('deleteCustomField removes a custom field with its values, which do not reappear with its key', async () => {
  const world = await leadSetup();
  const body = { key: 'budget', label: 'Budget', type: 'NUMBER', appliesTo: 'LEAD' };
  const { field } = (await world.ask(createCustomField, { body })).body;
  const { id } = await world.newLead({ customFields: { budget: 5 } });
  const valuesNow = async () =>
    (await world.ask(getLead, { params: { lead_id: id } })).body.lead.customFields;
  expect(await valuesNow()).toEqual({ budget: 5 });

  const params = { field_id: field.id };
  expect((await world.ask(deleteCustomField, { params })).status).toBe(200);
  expect(await valuesNow()).toEqual({});
  expect((await world.ask(exportLeads)).body).not.toContain('budget');
  await world.ask(createCustomField, { body });
  expect(await valuesNow()).toEqual({});
  expect((await world.ask(deleteCustomField, { params })).status).toBe(404);
});
