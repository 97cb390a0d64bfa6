import { describe, expect, it } from 'vitest';
import { createSegment } from '#schemas/segments.ts';
import { leadSetup, newSegment } from './setup.ts';

const world = await leadSetup();

describe('creating a segment', () => {
  it('stores the given conditions and counts the matching leads', async () => {
    await world.newLead({ source: 'website', value: 500, tags: ['vip'] });
    await world.newLead({ source: 'website', tags: ['vip'] });
    const filter = {
      source: 'website',
      tag: ' vip ',
      status: null,
      valueMin: 500,
      createdAfter: '2020-01-01',
    };
    const created = await world.ask(createSegment, { body: { name: 'VIPs', filter } });
    expect([created.status, created.body.segment]).toMatchObject([
      201,
      { name: 'VIPs', count: 1, isCountExact: true },
    ]);
    expect(created.body.segment.filter).toEqual({
      source: 'website',
      tag: 'vip',
      valueMin: 500,
      createdAfter: '2020-01-01T00:00:00.000Z',
    });
  });

  it('accepts ids of records that do not exist, which no lead matches', async () => {
    const unknown = crypto.randomUUID();
    for (const field of ['pipelineId', 'stageId', 'assignedToId', 'campaignId']) {
      expect((await newSegment(world, { [field]: unknown })).count).toBe(0);
    }
  });

  it('returns 409 for a name that is taken', async () => {
    await newSegment(world, {}, 'Twice');
    const again = await world.ask(createSegment, { body: { name: 'Twice', filter: {} } });
    expect([again.status, again.body.message]).toEqual([409, 'Segment name already exists']);
  });

  it.each([
    { status: 'OLD' },
    { pipelineId: 'x' },
    { tag: '.' },
    { tag: 'x'.repeat(51) },
    { createdAfter: 'yesterday' },
    { createdBefore: '2026-02-30' },
    { valueMin: -1 },
    { valueMin: '5' },
    { valueMax: 1.5 },
  ])('rejects the filter %j and reports its field', async (filter) => {
    const refused = await world.ask(createSegment, { body: { name: 'Bad', filter } });
    expect([refused.status, refused.body.message.join()]).toEqual([
      400,
      expect.stringContaining(`filter.${Object.keys(filter)[0]}`),
    ]);
  });
});
