import { type KeyRange, ranges } from '#lib/db/keys.ts';
import { query } from '#lib/db/read.ts';
import type { World } from './world.ts';

type Item = Awaited<ReturnType<typeof query<Record<string, unknown>>>>[number];

/** The workers take out what is in the outbox at a time of their own. */
function isAtRest({ sk }: Item): boolean {
  return !sk.startsWith('OUTBOX#');
}

/** Both partitions that an id may have: an organization's, and a user's. */
function partitionsOf(id: string): readonly KeyRange[] {
  const everything = ranges.everythingOf(id);

  return [everything, { ...everything, pk: ranges.sessions(id).pk }];
}

/** Everything that lies in the partitions of these organizations and users. */
export async function itemsOf(ids: readonly string[]): Promise<readonly Item[]> {
  const partitions = await Promise.all(
    ids.flatMap(partitionsOf).map((range) => query<Record<string, unknown>>(range)),
  );

  return partitions.flat().filter(isAtRest);
}

/** The ids of the world's organization and of its people. */
export function idsOf({ organizationId, people }: World): readonly string[] {
  return [organizationId, ...Object.values(people).map(({ userId }) => userId)];
}

/** What lies in the world, as text: two of them are equal when not a byte has changed. */
export async function snapshotOf(world: World): Promise<string> {
  return JSON.stringify(await itemsOf(idsOf(world)), null, 1);
}
