import { describe, expect, it } from 'vitest';
import { createPipeline, deletePipeline, listPipelines, updatePipeline } from '#schemas/leads.ts';
import { leadSetup } from './setup.ts';

describe('pipelines', () => {
  it('have one default at a time, which cannot be deleted', async () => {
    const fresh = await leadSetup();
    const { pipeline } = (await fresh.ask(createPipeline, { body: { name: 'Partners' } })).body;
    const params = { pipeline_id: pipeline.id };
    await fresh.ask(updatePipeline, { params, body: { isDefault: true } });
    const { pipelines } = (await fresh.ask(listPipelines)).body;
    expect(pipelines.filter((one: { isDefault: boolean }) => one.isDefault)).toMatchObject([
      { id: pipeline.id },
    ]);
    expect((await fresh.ask(deletePipeline, { params })).status).toBe(409);
    const no = await fresh.ask(updatePipeline, { params, body: { isDefault: false } });
    expect(no.status).toBe(409);
  });
});
