import { documentClient } from '#lib/platform/db/client.ts';
import { wholePartition } from '#lib/platform/db/keys/key.ts';
import { query } from '#lib/platform/db/read.ts';
import type { World } from '#scripts/fixtures/world.ts';
import { isPassing } from '#tests/support/table.ts';

type Item = Awaited<ReturnType<typeof query<Record<string, unknown>>>>[number];

/** Excludes the outbox, because workers empty it at any time. */
function isNotQueued({ sk }: Item): boolean {
  return !sk.startsWith('OUTBOX#');
}

/**
 * Every partition that the service has written to in this process. The others are empty, and
 * reading only these takes a tenth of the time of a full scan.
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

/** Returns the partitions that this file has written to. */
export function writtenPartitions(): ReadonlySet<string> {
  return written;
}

function belongsTo(pk: string, ids: readonly string[]): boolean {
  return !isPassing(pk) && ids.some((id) => pk.includes(id));
}

/** Returns all items in the partitions of these organizations and users. */
async function itemsOf(ids: readonly string[]): Promise<readonly Item[]> {
  const partitions = [...written].filter((pk) => belongsTo(pk, ids)).sort();
  const items = await Promise.all(
    partitions.map((pk) => query<Record<string, unknown>>(wholePartition(pk))),
  );

  return items.flat().filter(isNotQueued);
}

/** Returns the ids of the world's organization and people. */
function idsOf({ organizationId, people }: World): readonly string[] {
  return [organizationId, ...Object.values(people).map(({ userId }) => userId)];
}

/** Returns the world's items as text. Two snapshots are equal if nothing has changed. */
export async function snapshotOf(world: World): Promise<string> {
  return JSON.stringify(await itemsOf(idsOf(world)), null, 1);
}
