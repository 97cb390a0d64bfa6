import { afterEach, describe, expect, it } from 'vitest';
import { createCustomField } from '#schemas/custom-fields.ts';
import { createForm, listForms } from '#schemas/forms.ts';
import { createPipeline, deletePipeline } from '#schemas/leads.ts';
import { formSetup, openPage } from './setup.ts';

const world = await formSetup();

afterEach(() => {
  delete process.env.QUOTA_FORMS;
});

const create = (given: object) =>
  world.ask(createForm, {
    body: { name: 'Contact us', pipelineId: world.pipeline.id, fields: ['email'], ...given },
  });

describe('creating a form', () => {
  it('returns it with the address of its page', async () => {
    const { status, body } = await create({
      fields: ['email', 'name'],
      consentText: 'I agree.',
      thankYouText: 'Thanks!',
      redirectUrl: 'https://example.com/thanks',
    });

    expect(status).toBe(201);
    expect(body.form).toMatchObject({
      name: 'Contact us',
      pipelineId: world.pipeline.id,
      fields: ['email', 'name'],
      consentText: 'I agree.',
      thankYouText: 'Thanks!',
      redirectUrl: 'https://example.com/thanks',
      isActive: true,
      url: `http://localhost:3000/f/${body.form.code}`,
      submissions: 0,
    });
    expect((await openPage(body.form.code)).status).toBe(200);
    expect((await world.ask(listForms)).body.forms).toContainEqual(body.form);
  });

  it('accepts the keys of custom fields', async () => {
    const field = { key: 'budget', label: 'Budget', type: 'NUMBER', appliesTo: 'LEAD' };
    await world.ask(createCustomField, { body: field });
    const { body } = await create({ fields: ['email', 'budget'] });

    expect(body.form.fields).toEqual(['email', 'budget']);
  });

  it.each([
    ['fields', { fields: ['name'] }],
    ['fields', { fields: ['email', 'email'] }],
    ['fields.1', { fields: ['email', 'unknown'] }],
    ['fields.1', { fields: ['email', '__proto__'] }],
    ['fields.1', { fields: ['email', 'consent'] }],
    ['name', { name: 'x'.repeat(96) }],
    ['name', { name: ' ' }],
    ['pipelineId', { pipelineId: 'x' }],
    ['redirectUrl', { redirectUrl: 'javascript:alert(1)' }],
    ['redirectUrl', { redirectUrl: 'https://a;script-src/' }],
    ['consentText', { consentText: '' }],
  ])('rejects an invalid %s: %j', async (field, given) => {
    const refused = await create(given);

    expect(refused.status).toBe(400);
    expect(refused.body.message.join()).toContain(`${field} `);
  });

  it('gives the last free place in the quota to only one of two concurrent requests', async () => {
    const fresh = await formSetup();
    process.env.QUOTA_FORMS = '2';
    await fresh.newForm();
    const body = { name: 'Contact us', pipelineId: fresh.pipeline.id, fields: ['email'] };
    const answers = await Promise.all([1, 2].map(() => fresh.ask(createForm, { body })));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      quota: { name: 'forms', limit: 2 },
    });
  });

  it('keeps a pipeline from being deleted, whichever request comes first', async () => {
    for (let run = 0; run < 5; run += 1) {
      const { pipeline } = (await world.ask(createPipeline, { body: { name: 'Partners' } })).body;
      const [created, deleted] = await Promise.all([
        create({ pipelineId: pipeline.id }),
        world.ask(deletePipeline, { params: { pipeline_id: pipeline.id } }),
      ]);

      expect([
        [201, 409],
        [404, 200],
      ]).toContainEqual([created.status, deleted.status]);
    }
  });
});
