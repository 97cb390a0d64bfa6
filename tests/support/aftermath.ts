import { forgetChecks } from '#lib/features/health/services/check-services.ts';
import { closeCircuits } from '#lib/platform/circuit-breaker.ts';
import { dayMs, minuteMs, secondMs, setClock } from '#lib/platform/clock.ts';
import { type JobKind, jobDefinitions } from '#schemas/messages.ts';
import { lambdaContext } from './api.ts';
import { sandbox } from './mails.ts';
import { shapeOf, shapesOf } from './registry/shape.ts';
import { lastingItems, removeItems, storedItems } from './table.ts';
import { without } from './without.ts';
import { drainWork } from './work.ts';

let passedMs = 0;

/** The clock goes on, from so much later. */
export function passTime(ms: number): void {
  passedMs += ms;
  setClock(() => Date.now() + passedMs);
}

/**
 * Nothing is stored, in no queue, and known to no vendor. It is noon, so that all that comes of one
 * thing comes on one day.
 */
export async function startAnew(): Promise<void> {
  passedMs = 0;
  passTime(dayMs - ((Date.now() + dayMs / 2) % dayMs));
  closeCircuits();
  forgetChecks();
  await sandbox.clearFaults();
  await sandbox.reset();
  await removeItems(await storedItems());
  await drainWork();
}

/** Who takes up what the dead have left, once the sweep has. The others begin anew with each run. */
const tidying: readonly JobKind[] = [
  'contentPublish',
  'creditRefill',
  'paymentReconcile',
  'tokenRefresh',
];

/**
 * What a dead process has left is taken up: when the sweep finds it first, and when every lease is
 * over, and what waits for an hour is due.
 */
export async function settle(alsoRun: readonly JobKind[] = []): Promise<void> {
  await drainWork();
  for (const ms of [2 * minuteMs, 80 * minuteMs]) {
    passTime(ms);
    await runJob('dueWork');
    await drainWork();
    for (const kind of new Set([...tidying, ...alsoRun])) {
      await runJob(kind);
    }
    await drainWork();
  }
}

/** Runs a job once, through its real handler. */
async function runJob(kind: JobKind): Promise<void> {
  const { name, timeoutSeconds } = jobDefinitions[kind];
  const { handler } = await import(`../../functions/jobs/${name}.ts`);
  await handler({}, lambdaContext(timeoutSeconds * secondMs));
}

/** What has come of something, without what is another each time. */
export type Aftermath = {
  /** All that is stored, but how often it was written. */
  readonly stored: readonly string[];
  /** What vendors were asked for that nobody can take back. */
  readonly final: readonly string[];
};

/** What every request leaves, whatever it does. */
export const ofEveryRequest = /^(METRICS|IDEMPOTENCY|COMMENT_CALLS)#/;

export async function aftermath(): Promise<Aftermath> {
  const items = (await lastingItems()).filter(({ pk }) => !ofEveryRequest.test(pk));

  return {
    // Whose write it was, and how many there were before, says nothing of what is there.
    stored: shapesOf(items.map(({ writeId: _, attempt: __, version: ___, ...item }) => item)),
    final: finalOnes(await sandbox.requests()),
  };
}

type SandboxRequest = Awaited<ReturnType<typeof sandbox.requests>>[number];

/** Payments, messages and posts; what is asked for again under the vendor's own key is one. */
function finalOnes(requests: readonly SandboxRequest[]): readonly string[] {
  const asked = requests
    .filter(({ method, path }) => method === 'POST' && isFinal(path))
    .map(
      ({ id, headers, service, path }) =>
        [headers['idempotency-key'] ?? id, { service, path }] as const,
    );

  return [...new Map(asked).values()].map(shapeOf).sort();
}

/** Whether it asks a vendor for what nobody can take back, and what does not say twice that something is to be so. */
export function isFinal(path: string): boolean {
  return /\/(payment_intents|messages|feed)$/.test(path);
}

/** What is not as it usually is. */
export function differenceOf(left: Aftermath, usual: Aftermath) {
  const [all, usually] = [left, usual].map(({ stored, final }) => [...stored, ...final]);

  return { missing: without(usually ?? [], all ?? []), added: without(all ?? [], usually ?? []) };
}
