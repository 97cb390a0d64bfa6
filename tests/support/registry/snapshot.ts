import { ranges } from '#lib/db/keys.ts';
import { storedItems } from '#tests/support/table.ts';
import type { World } from './world.ts';

type Item = Awaited<ReturnType<typeof storedItems>>[number];

/** The workers take out what is in the outbox at a time of their own. */
function isAtRest({ sk }: Item): boolean {
  return !sk.startsWith('OUTBOX#');
}

function partitionsOf({ organizationId, people }: World): ReadonlySet<string> {
  return new Set([
    ranges.everythingOf(organizationId).pk,
    ...Object.values(people).map(({ userId }) => ranges.sessions(userId).pk),
  ]);
}

/** Everything that lies in the partitions of the world's organization and of its people. */
export async function itemsOf(world: World): Promise<readonly Item[]> {
  const partitions = partitionsOf(world);

  return (await storedItems())
    .filter((item) => partitions.has(item.pk) && isAtRest(item))
    .sort((one, other) => `${one.pk}\n${one.sk}`.localeCompare(`${other.pk}\n${other.sk}`));
}

/** The same as text: two of them are equal when not a byte has changed. */
export async function snapshotOf(world: World): Promise<string> {
  return JSON.stringify(await itemsOf(world), null, 1);
}
