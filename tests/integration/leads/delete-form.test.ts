import { describe, expect, it } from 'vitest';
import { ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { createForm, deleteForm, listForms } from '#schemas/forms.ts';
import { createPipeline, deletePipeline } from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { formSetup, openPage, sendJson } from './setup.ts';

const world = await formSetup();

const remove = (formId: string) => world.ask(deleteForm, { params: { form_id: formId } });

describe('deleting a form', () => {
  it('removes its page, and keeps its leads', async () => {
    const form = await world.newForm();
    await sendJson(form.code, { email: freshEmail() });
    expect((await remove(form.id)).status).toBe(200);

    expect((await openPage(form.code)).status).toBe(404);
    expect((await sendJson(form.code, { email: freshEmail() })).status).toBe(404);
    expect((await world.ask(listForms)).body).toMatchObject({ forms: [], total: 0 });
    expect(await world.leadsWithActivities()).toHaveLength(1);
    const { organizationId } = world.owner;
    expect(await query(ranges.formCounters(organizationId, form.id))).toEqual([]);
    expect((await remove(form.id)).status).toBe(404);
  });

  it('allows deleting its pipeline, and frees its quota', async () => {
    const { pipeline } = (await world.ask(createPipeline, { body: { name: 'Partners' } })).body;
    const params = { pipeline_id: pipeline.id };
    const form = await world.newForm({ pipelineId: pipeline.id });
    const refused = await world.ask(deletePipeline, { params });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The pipeline is in use by a campaign or form',
    ]);
    process.env.QUOTA_FORMS = '1';
    await remove(form.id);

    expect((await world.ask(deletePipeline, { params })).status).toBe(200);
    const body = { name: 'Next', pipelineId: world.pipeline.id, fields: ['email'] };
    expect((await world.ask(createForm, { body })).status).toBe(201);
    delete process.env.QUOTA_FORMS;
  });

  it('succeeds for only one of two concurrent requests', async () => {
    const form = await world.newForm();
    const answers = await Promise.all([remove(form.id), remove(form.id)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});
