import { minuteMs, now, secondMs } from '#lib/platform/clock.ts';
import { findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { countWaitingMessages } from '#lib/platform/queue/queue.ts';
import { deadLettersOf, type QueueOwner } from '#schemas/contract.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import type { Gauge } from './prometheus.ts';

const maxAgeMs = minuteMs;
const workers: readonly QueueOwner[] = Object.values(workerDefinitions);

let latest: { readonly readAt: number; readonly gauges: Promise<readonly Gauge[]> } | undefined;

/**
 * Returns gauges of the work that waits in the whole service. Reads at most once a minute per
 * instance.
 */
export function readWorkGauges(): Promise<readonly Gauge[]> {
  if (!latest || now() - latest.readAt >= maxAgeMs) {
    latest = { readAt: now(), gauges: read() };
  }

  return latest.gauges;
}

/** Clears the cache. For tests. */
export function forgetWorkGauges(): void {
  latest = undefined;
}

async function read(): Promise<readonly Gauge[]> {
  const [overdueSeconds, waiting, dead] = await Promise.all(
    [findOverdueSeconds(), countAll(workers), countAll(workers.map(deadLettersOf))].map(orNothing),
  );

  return [
    {
      name: 'social_leads_work_overdue_seconds',
      help: 'How long the most overdue work has waited to be queued.',
      value: overdueSeconds,
    },
    {
      name: 'social_leads_queue_messages',
      help: 'Messages that wait in the queues of all workers.',
      value: waiting,
    },
    {
      name: 'social_leads_dead_letters',
      help: 'Messages in the dead-letter queues of all workers.',
      value: dead,
    },
  ];
}

/** Failures are ignored, because the other metrics matter most when a service is down. */
function orNothing(value: Promise<number>): Promise<number | undefined> {
  return value.catch(() => undefined);
}

async function findOverdueSeconds(): Promise<number> {
  const [mostOverdue] = await findDueItems('DUE', 1);

  return mostOverdue ? (now() - Date.parse(mostOverdue.dueAt)) / secondMs : 0;
}

async function countAll(owners: readonly QueueOwner[]): Promise<number> {
  const counts = await Promise.all(owners.map(countWaitingMessages));

  return counts.reduce((sum, count) => sum + count, 0);
}
