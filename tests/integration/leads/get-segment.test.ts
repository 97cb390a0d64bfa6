import { describe, expect, it } from 'vitest';
import { createPipeline, deleteLead, deletePipeline, eraseContact } from '#schemas/leads.ts';
import { getSegment } from '#schemas/segments.ts';
import { drainWork } from '#tests/support/work.ts';
import { leadSetup, newSegment } from './setup.ts';

describe('a segment', () => {
  it('counts the leads that currently match, also after deletions and erasures', async () => {
    const world = await leadSetup();
    const leads = [
      await world.newLead({ tags: ['vip'], value: 100 }),
      await world.newLead({ tags: ['vip'], value: 100 }),
      await world.newLead({ tags: ['vip'], value: 100 }),
    ];
    const segment = await newSegment(world, { tag: 'vip', valueMax: 100 });
    expect(segment.count).toBe(3);
    await world.ask(deleteLead, { params: { lead_id: leads[0].id } });
    await world.ask(eraseContact, { params: { contact_id: leads[1].contactId } });
    await drainWork();
    const read = await world.ask(getSegment, { params: { segment_id: segment.id } });
    expect(read.body.segment).toEqual({ ...segment, count: 1 });
  });

  it('matches nothing after its pipeline was deleted', async () => {
    const world = await leadSetup();
    await world.newLead();
    const created = await world.ask(createPipeline, { body: { name: 'Other' } });
    const { id } = created.body.pipeline;
    const segment = await newSegment(world, { pipelineId: id, status: 'NEW' });
    await world.ask(deletePipeline, { params: { pipeline_id: id } });
    const read = await world.ask(getSegment, { params: { segment_id: segment.id } });
    expect(read.body.segment).toMatchObject({ filter: { pipelineId: id }, count: 0 });
  });

  it.each(['pipelineId', 'stageId'])(
    'matches nothing by %s of another organization',
    async (field) => {
      const [world, other] = [await leadSetup(), await leadSetup()];
      await world.newLead();
      const lead = await other.newLead();
      const segment = await newSegment(world, { [field]: lead[field] });
      const read = await world.ask(getSegment, { params: { segment_id: segment.id } });
      expect(read.body.segment).toMatchObject({ filter: { [field]: lead[field] }, count: 0 });
    },
  );
});
