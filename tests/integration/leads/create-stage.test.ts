import { describe, expect, it } from 'vitest';
import { createStage, listStages, updateStage } from '#schemas/leads.ts';
import { pipelineSetup } from './setup.ts';

const world = await pipelineSetup();

describe('stages', () => {
  it('can be added, renamed, moved and listed in order', async () => {
    const pipeline = await world.newPipeline({ name: 'P', stages: [{ name: 'A' }, { name: 'B' }] });
    const params = { pipeline_id: pipeline.id };
    const added = await world.ask(createStage, { params, body: { name: 'C', order: 1 } });
    expect(added.body.stage).toMatchObject({ name: 'C', order: 1, status: null });
    const inPath = { ...params, stage_id: added.body.stage.id };
    const body = { name: 'D', order: 3, status: 'LOST' };
    const changed = await world.ask(updateStage, { params: inPath, body });
    expect(changed.body.stage).toMatchObject(body);
    const { stages } = (await world.ask(listStages, { params })).body;
    expect(stages.map((one: { name: string; order: number }) => [one.order, one.name])).toEqual([
      [1, 'A'],
      [2, 'B'],
      [3, 'D'],
    ]);
  });

  it('that are added concurrently are all stored or rejected', async () => {
    const pipeline = await world.newPipeline({ name: 'P', stages: [{ name: 'A' }] });
    const params = { pipeline_id: pipeline.id };
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        world.ask(createStage, { params, body: { name: `S${index}` } }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const { total } = (await world.ask(listStages, { params })).body;
    expect(total).toBe(1 + made.length);
  });
});
