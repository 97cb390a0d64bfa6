import { type KeyRange, ranges } from '#lib/db/keys.ts';
import { query } from '#lib/db/read.ts';
import { rowsOf } from '#lib/db/sharded-list.ts';
import type { World } from './world.ts';

type Item = Awaited<ReturnType<typeof query<Record<string, unknown>>>>[number];

/** The workers take out what is in the outbox at a time of their own. */
function isAtRest({ sk }: Item): boolean {
  return !sk.startsWith('OUTBOX#');
}

const lists = ['lead', 'contact', 'import', 'conversation', 'post', 'deletedPost'] as const;

/** The partitions of what is listed by an index. */
async function listedPartitions(organizationId: string): Promise<readonly KeyRange[]> {
  const index = { name: 'list', attribute: 'list' };
  const found = await Promise.all(
    lists.map(async (value) => {
      const rows: KeyRange[] = [];
      for await (const row of rowsOf({ index, organizationId, value }, 1_000)) {
        rows.push(ranges.partitionOf(row));
      }

      return rows;
    }),
  );

  return found.flat();
}

function readAll(ranges: readonly KeyRange[]): Promise<ReadonlyArray<readonly Item[]>> {
  return Promise.all(ranges.map((range) => query<Record<string, unknown>>(range)));
}

/** What lies in the partitions that an id may have: an organization's, and a user's. */
async function itemsOfOne(id: string): Promise<readonly Item[]> {
  const everything = ranges.everythingOf(id);
  const [main = [], personal = []] = await readAll([
    everything,
    { ...everything, pk: ranges.sessions(id).pk },
  ]);
  if (main.length === 0) {
    return personal;
  }
  const others = [...ranges.sidePartitions(id), ...(await listedPartitions(id))];

  return [...main, ...personal, ...(await readAll(others)).flat()];
}

/** Everything that lies in the partitions of these organizations and users. */
export async function itemsOf(ids: readonly string[]): Promise<readonly Item[]> {
  const items = await Promise.all(ids.map(itemsOfOne));

  return items.flat().filter(isAtRest);
}

/** The ids of the world's organization and of its people. */
export function idsOf({ organizationId, people }: World): readonly string[] {
  return [organizationId, ...Object.values(people).map(({ userId }) => userId)];
}

/** What lies in the world, as text: two of them are equal when not a byte has changed. */
export async function snapshotOf(world: World): Promise<string> {
  return JSON.stringify(await itemsOf(idsOf(world)), null, 1);
}
