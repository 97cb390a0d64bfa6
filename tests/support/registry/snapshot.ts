import { documentClient } from '#lib/platform/db/client.ts';
import { ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import type { World } from './world.ts';

type Item = Awaited<ReturnType<typeof query<Record<string, unknown>>>>[number];

/** The workers take out what is in the outbox at a time of their own. */
function isAtRest({ sk }: Item): boolean {
  return !sk.startsWith('OUTBOX#');
}

/**
 * Every partition that the service has named in a write, here where its functions run. What it has
 * never written to is empty: to read these alone costs a tenth of reading all that there could be.
 */
const written = new Set<string>();

documentClient.middlewareStack.add(
  (next, { commandName = '' }) =>
    (args) => {
      if (!/^(Get|BatchGet|Query|Scan)/.test(commandName)) {
        notePartitions(args.input);
      }

      return next(args);
    },
  { step: 'initialize', priority: 'high' },
);

function notePartitions(value: unknown): void {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  if ('pk' in value && typeof value.pk === 'string') {
    written.add(value.pk);

    return;
  }
  for (const inner of Object.values(value)) {
    notePartitions(inner);
  }
}

/** The partitions that hold something, as far as this file has seen it being written. */
export function writtenPartitions(): ReadonlySet<string> {
  return written;
}

function belongsTo(pk: string, ids: readonly string[]): boolean {
  return !pk.startsWith('RATE#') && ids.some((id) => pk.includes(id));
}

/** Everything that lies in the partitions of these organizations and users. */
async function itemsOf(ids: readonly string[]): Promise<readonly Item[]> {
  const partitions = [...written].filter((pk) => belongsTo(pk, ids)).sort();
  const items = await Promise.all(
    partitions.map((pk) => query<Record<string, unknown>>(ranges.partitionOf({ pk, sk: '' }))),
  );

  return items.flat().filter(isAtRest);
}

/** The ids of the world's organization and of its people. */
function idsOf({ organizationId, people }: World): readonly string[] {
  return [organizationId, ...Object.values(people).map(({ userId }) => userId)];
}

/** What lies in the world, as text: two of them are equal when not a byte has changed. */
export async function snapshotOf(world: World): Promise<string> {
  return JSON.stringify(await itemsOf(idsOf(world)), null, 1);
}
