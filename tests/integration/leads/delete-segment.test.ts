import { describe, expect, it } from 'vitest';
import { listLeads } from '#schemas/leads.ts';
import { deleteSegment, getSegment } from '#schemas/segments.ts';
import { leadSetup, newSegment } from './setup.ts';

describe('deleting a segment', () => {
  it('keeps its leads, and frees its name', async () => {
    const world = await leadSetup();
    await world.newLead();
    const params = { segment_id: (await newSegment(world, {}, 'Gone')).id };
    expect((await world.ask(deleteSegment, { params })).status).toBe(200);
    expect((await world.ask(getSegment, { params })).status).toBe(404);
    expect((await world.ask(deleteSegment, { params })).status).toBe(404);
    expect((await world.ask(listLeads)).body.leads).toHaveLength(1);
    const filtered = await world.ask(listLeads, { query: { segmentId: params.segment_id } });
    expect(filtered.status).toBe(404);
    expect((await newSegment(world, {}, 'Gone')).name).toBe('Gone');
  });
});
