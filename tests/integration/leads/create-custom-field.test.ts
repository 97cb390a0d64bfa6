import { describe, expect, it } from 'vitest';
import { createCustomField, listCustomFields } from '#schemas/custom-fields.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

const aField = { key: 'budget', label: 'Budget', type: 'NUMBER', appliesTo: 'LEAD' };

const create = (given: object) => world.ask(createCustomField, { body: { ...aField, ...given } });

describe('creating a custom field', () => {
  it('shows it in the list', async () => {
    const created = await create({ key: 'size', type: 'SELECT', options: ['Small', 'Large'] });
    expect(created.status).toBe(201);
    expect(created.body.field).toMatchObject({ key: 'size', options: ['Small', 'Large'] });
    const { fields } = (await world.ask(listCustomFields)).body;
    expect(fields).toContainEqual(created.body.field);
  });

  it('creates all of 12 fields with different keys from concurrent requests', {
    timeout: 120_000,
  }, async () => {
    const own = await leadSetup();
    const keys = Array.from({ length: 12 }, (_, index) => `once_${index}`);
    const answers = await Promise.all(
      keys.map((key) => own.ask(createCustomField, { body: { ...aField, key } })),
    );
    const { fields } = (await own.ask(listCustomFields)).body;

    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 201));
    expect(fields.map(({ key }: { key: string }) => key).toSorted()).toEqual(keys.toSorted());
  });

  it('shows null as the options of other types, and accepts its own response', async () => {
    const { field } = (await create({ key: 'once', options: null })).body;
    const other = await leadSetup();
    const again = await other.ask(createCustomField, { body: field });

    expect(field.options).toBeNull();
    expect([again.status, again.body.field.options]).toEqual([201, null]);
  });

  it('rejects a key that leads or contacts already have', async () => {
    await create({ key: 'taken' });
    const refused = await create({ key: 'taken', appliesTo: 'CONTACT' });
    expect(refused.status).toBe(409);
  });

  it.each(['Budget', 'my key', 'k'.repeat(51), '', '__proto__', 'constructor', 'email', 'consent'])(
    'rejects the key %j',
    async (key) => {
      const refused = await create({ key });
      expect([refused.status, refused.body.message.join()]).toEqual([
        400,
        expect.stringContaining('key'),
      ]);
    },
  );

  it.each([
    ['SELECT', null],
    ['SELECT', []],
    ['SELECT', ['a', 'a']],
    ['TEXT', ['a']],
  ])('rejects a %s with the options %j', async (type, options) => {
    const refused = await create({ key: 'refused', type, options });
    expect([refused.status, refused.body.message.join()]).toEqual([
      400,
      expect.stringContaining('options'),
    ]);
  });

  it('stores each of several fields that are created concurrently', async () => {
    const fresh = await leadSetup();
    const keys = Array.from({ length: 5 }, (_, index) => `at_once_${index}`);
    await Promise.all(
      keys.map((key) => fresh.ask(createCustomField, { body: { ...aField, key } })),
    );
    const { fields } = (await fresh.ask(listCustomFields)).body;
    expect(new Set(fields.map(({ key }: { key: string }) => key))).toEqual(new Set(keys));
  });
});
