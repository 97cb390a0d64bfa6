import { expect, it } from 'vitest';
import { createCustomField, listCustomFields } from '#schemas/custom-fields.ts';
import { leadSetup } from './setup.ts';

it('listCustomFields lists custom fields of leads and contacts, oldest first', async () => {
  const world = await leadSetup();
  expect((await world.ask(listCustomFields)).body).toMatchObject({ fields: [], total: 0 });
  for (const [key, appliesTo] of [
    ['second', 'CONTACT'],
    ['first', 'LEAD'],
  ]) {
    const body = { key, label: 'A field', type: 'TEXT', appliesTo };
    await world.ask(createCustomField, { body });
  }
  const { fields, total } = (await world.ask(listCustomFields)).body;
  expect([total, fields.map(({ key }: { key: string }) => key)]).toEqual([2, ['second', 'first']]);
});
