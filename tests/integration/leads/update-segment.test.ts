import { describe, expect, it } from 'vitest';
import { updateSegment } from '#schemas/segments.ts';
import { leadSetup, newSegment } from './setup.ts';

const world = await leadSetup();
await world.newLead({ source: 'chat' });

const update = (segment_id: string, body: object) =>
  world.ask(updateSegment, { params: { segment_id }, body });

describe('updating a segment', () => {
  it('renames it, and replaces all conditions', async () => {
    const { id } = await newSegment(world, { source: 'website', status: 'NEW' });
    const renamed = await update(id, { name: 'Renamed' });
    expect(renamed.body.segment).toMatchObject({
      name: 'Renamed',
      filter: { source: 'website', status: 'NEW' },
      count: 0,
    });
    const filtered = await update(id, { filter: { source: 'chat' } });
    expect(filtered.body.segment).toMatchObject({ name: 'Renamed', count: 1 });
    expect(filtered.body.segment.filter).toEqual({ source: 'chat' });
  });

  it('keeps the time of the last change if nothing changes', async () => {
    const segment = await newSegment(world, { source: 'chat' });
    const { name, filter } = segment;
    expect((await update(segment.id, { name, filter })).body.segment).toEqual(segment);
  });

  it('frees the former name, and returns 409 for a name that is taken', async () => {
    const { id } = await newSegment(world, {}, 'Former');
    await newSegment(world, {}, 'Taken');
    expect((await update(id, { name: 'Taken' })).status).toBe(409);
    await update(id, { name: 'Current' });
    expect((await newSegment(world, {}, 'Former')).name).toBe('Former');
  });
});
