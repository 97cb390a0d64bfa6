import { forgetChecks } from '#lib/features/health/services/check-services.ts';
import { closeCircuits } from '#lib/platform/circuit-breaker.ts';
import { dayMs, minuteMs, now, secondMs, setClock, timestamp } from '#lib/platform/clock.ts';
import type { DueQueue } from '#lib/platform/db/keys/system.ts';
import { type JobKind, jobDefinitions } from '#schemas/messages.ts';
import { lambdaContext } from './api.ts';
import { openedQueues } from './in-process-queues.ts';
import { sandbox } from './mails.ts';
import { shapeOf, shapesOf } from './registry/shape.ts';
import { dueItems, emptyTable, lastingItems } from './table.ts';
import { without } from './without.ts';
import { drainWork } from './work.ts';

/** Moves the clock forward until the test ends. */
export function passTime(ms: number): void {
  const passedMs = now() - Date.now() + ms;
  setClock(() => Date.now() + passedMs);
}

/**
 * Empties the table, the queues and the sandbox. From then on, only the test's clock decides when
 * failed and delayed work is retried. Sets the clock to noon, so that related records are on the
 * same day.
 */
export async function startAnew(): Promise<void> {
  setClock();
  passTime(dayMs - ((Date.now() + dayMs / 2) % dayMs));
  closeCircuits();
  forgetChecks();
  await sandbox.reset();
  await emptyTable();
  const queues = openedQueues();
  queues.clear();
  // The queues count real seconds, but the test moves a separate clock.
  queues.leaveLaterToSweep();
}

/**
 * Jobs that clean up after crashes, besides the sweep, and the queues of due items that they read.
 * The other jobs start again with each run.
 */
const cleanupJobs: ReadonlyMap<JobKind, readonly DueQueue[]> = new Map([
  ['startPublishing', ['PUBLISH', 'PUBLISHING']],
  ['creditRefill', ['REFILL']],
  ['paymentReconcile', ['RECONCILE']],
  ['tokenRefresh', ['TOKEN_REFRESH']],
]);

/**
 * Recovers the work of crashed processes: once when the sweep first finds it, and again when every
 * lease has expired and work that was delayed by an hour is due. A job that reads due items runs
 * only if there are some, because it queries every shard of the index.
 */
export async function settle(alsoRun: readonly JobKind[] = []): Promise<void> {
  await drainWork();
  for (const ms of [2 * minuteMs, 80 * minuteMs]) {
    passTime(ms);
    if ((await dueQueues()).has('DUE')) {
      await runJob('dueWork');
      await drainWork();
    }
    const due = await dueQueues();
    const toClean = [...cleanupJobs].filter(([, queues]) => queues.some((one) => due.has(one)));
    for (const kind of new Set([...toClean.map(([job]) => job), ...alsoRun])) {
      await runJob(kind);
    }
    await drainWork();
  }
}

/** Publishing claims items before their lease has expired. */
const takenUpEarlyMs = minuteMs;

/** Returns the queues that have due items, with one call for all shards of all queues. */
async function dueQueues(): Promise<ReadonlySet<string>> {
  const items = await dueItems(timestamp(takenUpEarlyMs));

  return new Set(items.map(({ duePk }) => String(duePk).replace(/#\d+$/, '')));
}

/** Runs a job once through its real handler. */
async function runJob(kind: JobKind): Promise<void> {
  const { name, timeoutSeconds } = jobDefinitions[kind];
  const { handler } = await import(`../../functions/jobs/${name}.ts`);
  await handler({}, lambdaContext(timeoutSeconds * secondMs));
}

/** The results of a test, without values that differ between runs. */
export type Aftermath = {
  /** All stored items, without their write counts. */
  readonly stored: readonly string[];
  /** Irreversible vendor requests. */
  readonly final: readonly string[];
};

/** Items that every request writes. */
export const ofEveryRequest = /^(METRICS|IDEMPOTENCY|COMMENT_CALLS)#/;

export async function aftermath(): Promise<Aftermath> {
  const items = (await lastingItems()).filter(({ pk }) => !ofEveryRequest.test(pk));

  return {
    // The writer and the number of earlier writes do not matter here.
    stored: shapesOf(items.map(({ writeId: _, attempt: __, version: ___, ...item }) => item)),
    final: finalOnes(await sandbox.requests()),
  };
}

type SandboxRequest = Awaited<ReturnType<typeof sandbox.requests>>[number];

/** Returns payments, messages and posts. Requests under the same vendor key count once. */
function finalOnes(requests: readonly SandboxRequest[]): readonly string[] {
  const asked = requests
    .filter(({ method, path }) => method === 'POST' && isFinal(path))
    .map(
      ({ id, headers, service, path }) =>
        [headers['idempotency-key'] ?? id, { service, path }] as const,
    );

  return [...new Map(asked).values()].map(shapeOf).sort();
}

/** Returns true for vendor requests that are irreversible and not idempotent. */
export function isFinal(path: string): boolean {
  return /\/(payment_intents|messages|feed)$/.test(path);
}

/** Compares the result with the usual one. */
export function differenceOf(left: Aftermath, usual: Aftermath) {
  const [all, usually] = [left, usual].map(({ stored, final }) => [...stored, ...final]);

  return { missing: without(usually ?? [], all ?? []), added: without(all ?? [], usually ?? []) };
}
