import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { createLeadWithContact, moveLeadStage } from '#schemas/leads.ts';
import type { ItemWrite } from '#scripts/dynamodb-proxy/meter.ts';
import { defaultPipeline } from '#scripts/fixtures/lead-fixtures.ts';
import { ask, newSoloWorld } from '#scripts/fixtures/world.ts';
import { driver } from '../calls/driver.ts';
import type { DataBench } from './data-bench.ts';

/** Write units per second of one kind of write at the given rate. */
export type Load = {
  readonly what: string;
  /** The number of shards or partitions that the writes are spread over. */
  readonly shards: number;
  readonly hottest: number;
  readonly together: number;
};

/** Lead writes per second to one pipeline: half creations and half moves. */
export const busyRate = 200;
/** Write units per second that a partition accepts before DynamoDB throttles it. */
export const partitionLimit = 1_000;
const callsAtOnce = 8;
const firstNames = ['Ada', 'Grace', 'Mary', 'Edith', 'Hedy', 'Joan', 'Karen', 'Radia'];

/**
 * Measures the write pattern of a very busy pipeline: the handlers create and move many leads
 * concurrently. Reports the load on the hottest item and partition at `busyRate`.
 */
export async function measureBusyPipeline(
  bench: DataBench,
  leadCount = 400,
): Promise<readonly Load[]> {
  const world = await newSoloWorld(driver);
  const { organizationId } = world;
  const { id: pipelineId, stages } = await defaultPipeline(world);
  const numbers = Array.from({ length: leadCount }, (_, number) => number);
  const metered = await bench.meter.measure(() =>
    atMostAtOnce(callsAtOnce, numbers, async (number) => {
      const name = `${firstNames[number % firstNames.length]} Lovelace`;
      const contact = { name, email: `${name.replace(' ', '.')}.${number}@example.com` };
      const body = { pipelineId, source: 'fair', contact };
      const { lead } = await ask(world, createLeadWithContact, { body });
      await ask(world, moveLeadStage, {
        params: { lead_id: lead.id },
        body: { stageId: stages[1]?.id },
      });
    }),
  );
  const writes = metered.calls.flatMap(({ itemWrites }) => itemWrites);
  const perSecond = busyRate / (2 * leadCount);

  return [
    ...counterLoads(writes, perSecond),
    loadOf('lead and contact partitions', byPartition(writes, /#(LEAD|CONTACT)#/), perSecond),
    loadOf('search word partitions', byPartition(writes, /#CONTACT_WORDS#/), perSecond),
    await listLoad(bench, organizationId, perSecond),
  ];
}

function counterLoads(writes: readonly ItemWrite[], perSecond: number): readonly Load[] {
  const counters = writes.filter(({ key }) =>
    /#(LEAD_COUNTS|LEAD_FACET#source|CONTACT_COUNTS)\//.test(key),
  );

  return [
    loadOf('counter items', byKey(counters), perSecond),
    loadOf('counter partitions', byPartition(counters, /./), perSecond),
  ];
}

function loadOf(what: string, units: ReadonlyMap<string, number>, perSecond: number): Load {
  const amounts = [...units.values()];

  return {
    what,
    shards: amounts.length,
    hottest: Math.max(0, ...amounts) * perSecond,
    together: amounts.reduce((sum, amount) => sum + amount, 0) * perSecond,
  };
}

function byKey(writes: readonly ItemWrite[]): ReadonlyMap<string, number> {
  const units = new Map<string, number>();
  for (const write of writes) {
    units.set(write.key, (units.get(write.key) ?? 0) + write.units);
  }

  return units;
}

function byPartition(writes: readonly ItemWrite[], pattern: RegExp): ReadonlyMap<string, number> {
  return byKey(
    writes
      .filter(({ key }) => pattern.test(key))
      .map(({ key, units }) => ({ key: key.slice(0, key.lastIndexOf('/')), units })),
  );
}

/**
 * The most loaded list: all leads by status. Each move deletes an entry in one status and shard and
 * adds one in another.
 */
async function listLoad(
  { client }: DataBench,
  organizationId: string,
  perSecond: number,
): Promise<Load> {
  const units = new Map<string, number>();
  for (const shard of [0, 1, 2, 3]) {
    const { Count = 0 } = await client.send(
      new QueryCommand({
        TableName: process.env.TABLE_NAME,
        IndexName: 'list',
        Select: 'COUNT',
        KeyConditionExpression: 'organizationId = :o AND #list = :list',
        ExpressionAttributeNames: { '#list': 'list' },
        ExpressionAttributeValues: { ':o': organizationId, ':list': `lead#${shard}` },
      }),
    );
    // The entry was added with the lead and deleted by the move, which are two writes to its
    // partition.
    units.set(String(shard), 2 * Count);
  }

  return loadOf('list index partitions, by status', units, perSecond);
}
