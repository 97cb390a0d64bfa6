import { describe, expect, it } from 'vitest';
import { listStages, updateStage } from '#schemas/leads.ts';
import { pipelineSetup } from './setup.ts';

const world = await pipelineSetup();

async function newStages() {
  return world.newPipeline({
    name: 'P',
    stages: [{ name: 'A', status: 'NEW' }, { name: 'B' }, { name: 'C' }],
  });
}

describe('updating a stage', () => {
  it('changes only the given fields, and null clears the status', async () => {
    const { id, stages } = await newStages();
    const params = { pipeline_id: id, stage_id: stages[0].id };
    const renamed = await world.ask(updateStage, { params, body: { name: 'First' } });
    const cleared = await world.ask(updateStage, { params, body: { status: null } });

    expect(renamed.body.stage).toEqual({ ...stages[0], name: 'First' });
    expect(cleared.body.stage).toEqual({ ...stages[0], name: 'First', status: null });
  });

  it('moves the stage to the given position', async () => {
    const { id, stages } = await newStages();
    const params = { pipeline_id: id, stage_id: stages[2].id };
    await world.ask(updateStage, { params, body: { order: 1 } });
    const listed = (await world.ask(listStages, { params: { pipeline_id: id } })).body.stages;

    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['C', 'A', 'B']);
  });

  it('keeps all concurrent changes of the stages of a pipeline', async () => {
    const { id, stages } = await newStages();
    const changes = await Promise.all(
      stages.map((stage: { id: string; name: string }) =>
        world.ask(updateStage, {
          params: { pipeline_id: id, stage_id: stage.id },
          body: { name: `New ${stage.name}` },
        }),
      ),
    );
    const listed = (await world.ask(listStages, { params: { pipeline_id: id } })).body.stages;

    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['New A', 'New B', 'New C']);
  });

  it('returns 404 for a stage of another pipeline', async () => {
    const [one, other] = [await newStages(), await newStages()];
    const params = { pipeline_id: one.id, stage_id: other.stages[0].id };

    expect((await world.ask(updateStage, { params, body: { name: 'X' } })).status).toBe(404);
  });
});
