import { afterEach, beforeEach, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { put, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import {
  deleteLead,
  getLeadCampaignAnalytics,
  getLeadPipelineAnalytics,
  getLeadSourceAnalytics,
  getLeadStats,
  moveLeadStage,
  updateLead,
} from '#schemas/leads.ts';
import { type LeadWorld, leadWorld } from './world.ts';

let nowMs: number;

beforeEach(() => {
  nowMs = Date.now();
  setClock(() => nowMs);
});
afterEach(() => setClock());

async function move(world: LeadWorld, leadId: string, stage: string, afterSeconds: number) {
  nowMs += afterSeconds * 1000;
  await world.ask(moveLeadStage, {
    params: { lead_id: leadId },
    body: { stageId: world.stage(stage) },
  });
}

async function pipelineOf({ ask }: LeadWorld) {
  return (await ask(getLeadPipelineAnalytics)).body.pipeline;
}

function times({ stages }: { stages: ReadonlyArray<Record<string, number | string>> }) {
  return Object.fromEntries(stages.map((one) => [one.name, one.averageTimeInStage]));
}

it('averages the time in a stage over all stays of the existing leads', async () => {
  const world = await leadWorld();
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

it('measures the time to convert from creation, ignoring leads that are no longer converted', async () => {
  const world = await leadWorld();
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

it('returns 0 for metrics without data', async () => {
  const { ask } = await leadWorld();
  expect((await ask(getLeadStats)).body.stats).toEqual({
    totalLeads: 0,
    newLeads: 0,
    qualifiedLeads: 0,
    contactedLeads: 0,
    convertedLeads: 0,
    lostLeads: 0,
    conversionRate: 0,
    averageValue: 0,
    totalValue: 0,
  });
  expect((await ask(getLeadSourceAnalytics)).body.sources).toEqual([]);
});

it('returns rates as percentages with two decimals, values in cents, and sources by count', async () => {
  const world = await leadWorld();
  const [first] = [
    await world.newLead({ value: 100 }),
    await world.newLead({ value: 50 }),
    await world.newLead({ source: 'chat' }),
  ];
  await world.ask(updateLead, { params: { lead_id: first.id }, body: { status: 'CONVERTED' } });
  expect((await world.ask(getLeadStats)).body.stats).toMatchObject({
    totalLeads: 3,
    conversionRate: 33.33,
    averageValue: 50,
    totalValue: 150,
  });
  expect((await world.ask(getLeadSourceAnalytics)).body.sources).toEqual([
    { source: 'website', count: 2, conversionRate: 50, averageValue: 75, totalValue: 150 },
    { source: 'chat', count: 1, conversionRate: 0, averageValue: 0, totalValue: 0 },
  ]);
});

it('attributes to a campaign the leads that name it', async () => {
  const world = await leadWorld();
  const id = newId();
  const campaign = { id, name: 'Spring', utmCampaign: 'spring' };
  await write(put(keys.campaign(world.owner.organizationId, id), campaign));
  await world.newLead({ utmCampaign: 'spring', value: 10 });
  await world.newLead({ utmCampaign: 'autumn' });
  expect((await world.ask(getLeadCampaignAnalytics)).body.campaigns).toEqual([
    {
      campaignId: id,
      campaignName: 'Spring',
      leadCount: 1,
      conversionRate: 0,
      averageValue: 10,
      totalValue: 10,
    },
  ]);
});
