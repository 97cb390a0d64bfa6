import { type KeyRange, ranges } from '#lib/db/keys.ts';
import { query } from '#lib/db/read.ts';
import type { World } from './world.ts';

type Item = Awaited<ReturnType<typeof query<Record<string, unknown>>>>[number];

/** The workers take out what is in the outbox at a time of their own. */
function isAtRest({ sk }: Item): boolean {
  return !sk.startsWith('OUTBOX#');
}

function partitionsOf({ organizationId, people }: World): readonly KeyRange[] {
  const everything = ranges.everythingOf(organizationId);
  const persons = Object.values(people).map(({ userId }) => ranges.sessions(userId));

  return [everything, ...persons.map(({ pk }) => ({ ...everything, pk }))];
}

/** Everything that lies in the partitions of the world's organization and of its people. */
export async function itemsOf(world: World): Promise<readonly Item[]> {
  const partitions = await Promise.all(
    partitionsOf(world).map((range) => query<Record<string, unknown>>(range)),
  );

  return partitions.flat().filter(isAtRest);
}

/** The same as text: two of them are equal when not a byte has changed. */
export async function snapshotOf(world: World): Promise<string> {
  return JSON.stringify(await itemsOf(world), null, 1);
}
