import { describe, expect, it } from 'vitest';
import { listSegments } from '#schemas/segments.ts';
import { leadSetup, newSegment } from './setup.ts';

describe('listing segments', () => {
  it('returns those of the organization with their counts, newest first', async () => {
    const world = await leadSetup();
    await newSegment(await leadSetup(), {}, 'Of others');
    await world.newLead({ source: 'chat' });
    await world.newLead({ source: 'website' });
    await newSegment(world, {}, 'All');
    await newSegment(world, { source: 'chat', status: 'NEW' }, 'Chats');
    const { segments, total } = (await world.ask(listSegments)).body;
    expect(total).toBe(2);
    expect(segments).toMatchObject([
      { name: 'Chats', count: 1, isCountExact: true },
      { name: 'All', count: 2, isCountExact: true },
    ]);
  });
});
