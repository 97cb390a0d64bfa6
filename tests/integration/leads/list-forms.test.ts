import { describe, expect, it } from 'vitest';
import { createCustomField, deleteCustomField } from '#schemas/custom-fields.ts';
import { listForms } from '#schemas/forms.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { formSetup, sendJson } from './setup.ts';

const world = await formSetup();

describe('listing forms', () => {
  it('returns all of the organization, newest first, with their submissions', async () => {
    const first = await world.newForm({ name: 'First' });
    const second = await world.newForm({ name: 'Second' });
    await (await formSetup()).newForm();
    await sendJson(first.code, { email: freshEmail() });
    await sendJson(first.code, { email: freshEmail() });
    const { body } = await world.ask(listForms);

    expect(body).toMatchObject({
      forms: [
        { id: second.id, submissions: 0 },
        { id: first.id, submissions: 2 },
      ],
      total: 2,
    });
  });

  it('omits a deleted custom field', async () => {
    const { field } = (
      await world.ask(createCustomField, {
        body: { key: 'size', label: 'Size', type: 'TEXT', appliesTo: 'LEAD' },
      })
    ).body;
    const form = await world.newForm({ fields: ['email', 'size', 'name'] });
    await world.ask(deleteCustomField, { params: { field_id: field.id } });
    const { forms } = (await world.ask(listForms)).body;

    expect(forms.find(({ id }: { id: string }) => id === form.id).fields).toEqual([
      'email',
      'name',
    ]);
  });
});
