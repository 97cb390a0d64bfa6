import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { documentClient } from '#lib/platform/db/client.ts';
import { listShards } from '#lib/platform/db/lists/shards.ts';
import { listSegments } from '#schemas/segments.ts';
import { leadSetup, newSegment } from './setup.ts';

/** Returns a page of an index that never ends. All lists have the same ids. */
function endlessPage({
  ExpressionAttributeValues,
  ExclusiveStartKey,
  Limit = 0,
}: QueryCommandInput) {
  const [, shard] = String(ExpressionAttributeValues?.[':list']).split('#');
  const first = Number(ExclusiveStartKey?.next ?? shard);
  const Items = Array.from({ length: Limit }, (_, index) => ({
    id: String(999_999_999 - first - index * listShards),
  }));

  return { Items, LastEvaluatedKey: { next: first + Limit * listShards } };
}

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

  it('reads at most 50,000 rows for the counts of all segments together', async () => {
    const world = await leadSetup();
    await world.newLead({ source: 'chat' });
    for (const name of ['First', 'Second', 'Third']) {
      await newSegment(world, { source: 'chat', status: 'NEW' }, name);
    }
    const send = documentClient.send.bind(documentClient);
    const spy = vi.spyOn(documentClient, 'send');
    spy.mockImplementation(((command: QueryCommand) =>
      command instanceof QueryCommand && command.input.IndexName
        ? endlessPage(command.input)
        : send(command)) as typeof send);

    const { body } = await world.ask(listSegments);
    spy.mockRestore();

    const isCountExact = false;
    expect(body.segments).toMatchObject([{ isCountExact }, { isCountExact }, { isCountExact }]);
    const leads = body.segments.reduce(
      (sum: number, { count }: { count: number }) => sum + count,
      0,
    );
    const rows = 2 * leads;
    expect(Math.round(rows / 100) * 100).toBe(50_000);
  });
});
