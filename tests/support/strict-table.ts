import { setImmediate as nextTurn } from 'node:timers/promises';
import { now, secondMs } from '#lib/platform/clock.ts';
import { createDatabase, type Database } from '#scripts/dev/table/database.ts';
import { faultError } from '#scripts/dynamodb-proxy/fault-error.ts';
import { createFaultSchedule, type FaultRule } from '#scripts/dynamodb-proxy/fault-schedule.ts';
import { endingMoment, isEndingFault } from '#scripts/dynamodb-proxy/faults.ts';
import { reshape } from '#scripts/dynamodb-proxy/reshape.ts';
import { seededRandom } from '#scripts/seeded-random.ts';
import type { Client, Performer } from './in-process-client.ts';

/** An index is up to date after this time on the service's clock. */
const longestLagMs = secondMs;
const mostTurns = 4;

/** Failures that DynamoDB returns to a few of the service's calls, which the service repeats. */
const rules: readonly FaultRule[] = [
  { probability: 0.02, fault: { kind: 'throttle' } },
  { probability: 0.03, fault: { kind: 'conflict', when: 'before' } },
  {
    probability: 0.02,
    operation: 'TransactWriteItems',
    fault: { kind: 'refuse', when: 'after', error: 'TransactionInProgressException' },
  },
  ...[1, 3, 50].map((count) => ({
    probability: 0.05,
    fault: { kind: 'unprocessed', count } as const,
  })),
];

/**
 * A table that is as strict as DynamoDB can be, with the same decisions for the same seed: indexes
 * lag, concurrent calls are reordered, and calls of the service conflict, are throttled or remain
 * incomplete, unless `isSteady`.
 */
export function createStrictTable(
  seed: number,
  isSteady: () => boolean = () => false,
): { database: Database; performer: Performer } {
  const random = seededRandom(seed);
  const schedule = createFaultSchedule(seed);
  rules.forEach(schedule.add);
  const database = createDatabase({
    lag: { now, seen: (timesMs) => seenOf(timesMs, random()) },
  });

  async function wait(): Promise<void> {
    for (let turns = Math.floor(random() * mostTurns); turns > 0; turns -= 1) {
      await nextTurn();
    }
  }

  const perform: Performer['perform'] = async (operation, request, client) => {
    await wait();
    const faults = isOfService(client) && !isSteady() ? schedule.next(operation, []) : [];
    const ending = faults.find(isEndingFault);
    const error = ending && faultError(ending, request);
    if (error && endingMoment(ending) === 'before') {
      throw error;
    }
    const shaped = reshape(request, faults);
    const { output, costs } = database.perform(operation, shaped?.body ?? request);
    await wait();
    if (error) {
      throw error;
    }

    return { output: shaped?.complete(output) ?? output, costs };
  };

  return { database, performer: { perform } };
}

function seenOf(timesMs: readonly number[], share: number): number {
  const visible = timesMs.findLastIndex((atMs) => now() - atMs >= longestLagMs) + 1;

  return visible + Math.floor(share * (timesMs.length - visible + 1));
}

/** The tests' own clients get no faults. */
function isOfService({ middlewareStack }: Client): boolean {
  return middlewareStack.identify().some((name) => name.startsWith('recordQuery'));
}
