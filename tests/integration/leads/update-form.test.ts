import { describe, expect, it } from 'vitest';
import { listForms, updateForm } from '#schemas/forms.ts';
import { createPipeline, deletePipeline } from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { formSetup, openPage, sendJson } from './setup.ts';

const world = await formSetup();

const update = (formId: string, body: object) =>
  world.ask(updateForm, { params: { form_id: formId }, body });

async function newPipelineId(): Promise<string> {
  return (await world.ask(createPipeline, { body: { name: 'Partners' } })).body.pipeline.id;
}

const deleteOf = async (pipelineId: string) =>
  (await world.ask(deletePipeline, { params: { pipeline_id: pipelineId } })).status;

describe('updating a form', () => {
  it('changes the given fields, and keeps the address and the number of submissions', async () => {
    const form = await world.newForm({ thankYouText: 'Thanks!' });
    await sendJson(form.code, { email: freshEmail() });
    const { status, body } = await update(form.id, { name: 'Ask us', thankYouText: null });

    expect(status).toBe(200);
    expect(body.form).toEqual({
      ...form,
      name: 'Ask us',
      thankYouText: null,
      submissions: 1,
      updatedAt: body.form.updatedAt,
    });
    expect((await world.ask(listForms)).body.forms).toContainEqual(body.form);
  });

  it('hides the page while the form is inactive', async () => {
    const form = await world.newForm();
    await update(form.id, { isActive: false });
    expect((await openPage(form.code)).status).toBe(404);
    expect((await sendJson(form.code, { email: freshEmail() })).status).toBe(404);
    await update(form.id, { isActive: true });
    expect((await openPage(form.code)).status).toBe(200);
  });

  it('allows deleting the former pipeline, but not the new one', async () => {
    const [former, later] = [await newPipelineId(), await newPipelineId()];
    const form = await world.newForm({ pipelineId: former });
    expect(await deleteOf(former)).toBe(409);
    expect((await update(form.id, { pipelineId: later })).status).toBe(200);

    expect([await deleteOf(former), await deleteOf(later)]).toEqual([200, 409]);
  });

  it('counts the pipelines exactly if changes are concurrent', async () => {
    const pipelines = [await newPipelineId(), await newPipelineId(), await newPipelineId()];
    const form = await world.newForm();
    await Promise.all(pipelines.map((pipelineId) => update(form.id, { pipelineId })));
    const { forms } = (await world.ask(listForms)).body;
    const { pipelineId } = forms.find(({ id }: { id: string }) => id === form.id);
    const statuses = await Promise.all(pipelines.map(deleteOf));

    expect(statuses).toEqual(pipelines.map((id) => (id === pipelineId ? 409 : 200)));
  });

  it.each([
    ['fields.0', { fields: ['unknown', 'email'] }],
    ['fields', { fields: [] }],
    ['redirectUrl', { redirectUrl: 'ftp://example.com' }],
  ])('rejects an invalid %s: %j', async (field, given) => {
    const form = await world.newForm();
    const refused = await update(form.id, given);

    expect(refused.status).toBe(400);
    expect(refused.body.message.join()).toContain(`${field} `);
  });
});
