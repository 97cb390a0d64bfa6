import { beforeEach, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { forgetLastId } from '#lib/platform/ids.ts';
import { deleteLead, getLeadPipelineAnalytics, moveLeadStage, updateLead } from '#schemas/leads.ts';
import { type LeadSetup, leadSetup } from './setup.ts';

let nowMs: number;

beforeEach(() => {
  nowMs = Date.now();
  setClock(() => nowMs);
  // A lead's age is derived from its id.
  forgetLastId();
});

async function move(world: LeadSetup, leadId: string, stage: string, afterSeconds: number) {
  nowMs += afterSeconds * 1000;
  await world.ask(moveLeadStage, {
    params: { lead_id: leadId },
    body: { stageId: world.stage(stage) },
  });
}

async function pipelineOf({ ask }: LeadSetup) {
  return (await ask(getLeadPipelineAnalytics)).body.pipeline;
}

function times({ stages }: { stages: ReadonlyArray<Record<string, number | string>> }) {
  return Object.fromEntries(stages.map((one) => [one.name, one.averageTimeInStage]));
}

it('getLeadPipelineAnalytics averages the time in a stage over all stays of existing leads', async () => {
  const world = await leadSetup();
  const [one, other] = [await world.newLead(), await world.newLead()];
  await move(world, one.id, 'Qualified', 60);
  await move(world, one.id, 'New', 30);
  await move(world, one.id, 'Qualified', 20);
  expect(times(await pipelineOf(world))).toMatchObject({ New: 40, Qualified: 30, Lost: 0 });
  await move(world, other.id, 'Lost', 90);
  expect(times(await pipelineOf(world))).toMatchObject({ New: 93.33 });
  await world.ask(deleteLead, { params: { lead_id: other.id } });
  expect(times(await pipelineOf(world))).toMatchObject({ New: 40 });
});

it('getLeadPipelineAnalytics measures the time to convert from creation, ignoring leads that are no longer converted', async () => {
  const world = await leadSetup();
  const { id } = await world.newLead();
  await move(world, id, 'Converted', 120);
  expect(await pipelineOf(world)).toMatchObject({
    overallConversionRate: 100,
    averageTimeToConvert: 120,
  });
  await world.ask(updateLead, { params: { lead_id: id }, body: { status: 'LOST' } });
  expect(await pipelineOf(world)).toMatchObject({
    overallConversionRate: 0,
    averageTimeToConvert: 0,
  });
});
