import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { isIdempotent } from '#scripts/build/generate/openapi/facts.ts';
import { callerOf, successfulCall } from '#scripts/fixtures/fixtures.ts';
import { newSession, type World } from '#scripts/fixtures/world.ts';
import { isFinal } from '#tests/support/aftermath.ts';
import { type Answer, type CallInput, gatewayEvent, send } from '#tests/support/api.ts';
import {
  type Death,
  evenly,
  type Lived,
  untilDeath,
  waitForNobody,
} from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { sandbox } from '#tests/support/mails.ts';
import { type Change, recorded } from '#tests/support/registry/rehearsal.ts';
import { shapesOf } from '#tests/support/registry/shape.ts';
import { newWorld } from '#tests/support/registry/world.ts';
import { without } from '#tests/support/without.ts';
import { drainWork } from '#tests/support/work.ts';

waitForNobody();

/** Ends its own session, so repeating it returns 401. */
const endsItsSession = 'logOut';
const repeatable = endpoints.filter(
  (contract) => isIdempotent(contract) && contract.operationId !== endsItsSession,
);

/** Uses a new session, because the first call may have ended its session. */
async function again(contract: Contract, world: World, call: CallInput): Promise<CallInput> {
  if (['public', 'operator'].includes(contract.access.kind)) {
    return call;
  }

  return { ...call, ...(await newSession(callerOf(contract, world).userId, world.organizationId)) };
}

/** Parts of responses and items that may change when a request is repeated. */
const volatileParts: Readonly<Record<string, RegExp>> = {
  // The same file is written once more, and its link is signed for another hour.
  createUsageReport: /(?<="expiresAt":")[^"]+|(?<="reportUrl":"[^"?]+)\?[^"]+/g,
  // A repetition signs the links to the files for another hour.
  replyToConversation: /(?<="url":"[^"?]+)\?[^"]+/g,
  // Each checks with the network and stores the time of the check.
  validateSocialAccountToken: /(?<="validatedAt":")[^"]+/g,
  syncSocialAccount:
    /(?<="(lastSyncAt|takenAt)":")[^"]+|(?<="syncDuration":)[\d.]+|(?<="expiresAtSeconds":)\d+/g,
};

const matchesNothing = /(?!)/;

function withoutVolatile({ operationId }: Contract, value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null).replace(volatileParts[operationId] ?? matchesNothing, '0'),
  );
}

function essenceOf(contract: Contract, answer: Answer | undefined): unknown {
  return withoutVolatile(contract, {
    status: answer?.status,
    body: answer?.body,
    // The cookie of a known browser is signed for each response.
    cookies: answer?.cookies.filter((cookie) => !cookie.startsWith('__Host-known_device=')),
  });
}

/** Items that every request writes. */
const ofEveryRequest = /^(IDEMPOTENCY|METRICS)#/;

/** Returns the real changes, without items that were read and written back unchanged. */
function differencesOf(contract: Contract, { organizationId }: World, changes: readonly Change[]) {
  return (
    changes
      .filter(({ key }) => !ofEveryRequest.test(key.pk))
      // Deliveries to an unreachable webhook are retried on a separate schedule, even in the next
      // world.
      .filter(
        ({ key: { pk } }) => !pk.endsWith('#WEBHOOK_DELIVERIES') || pk.includes(organizationId),
      )
      .map(({ before, after }) => ({
        before: withoutVolatile(contract, before && { ...before, lastActiveAt: '', writeId: '' }),
        after: withoutVolatile(contract, after && { ...after, lastActiveAt: '', writeId: '' }),
      }))
      .filter(({ before, after }) => !isDeepStrictEqual(before, after))
  );
}

type SandboxRequest = Awaited<ReturnType<typeof sandbox.requests>>[number];

/** Returns vendor calls with possible effects, except repetitions under the same vendor key. */
function effectsOf(later: readonly SandboxRequest[], earlier: readonly SandboxRequest[]) {
  const known = new Set(earlier.map(({ id }) => id));
  const askedUnder = new Set(earlier.map(({ headers }) => headers['idempotency-key']));
  const isAskedAgain = (key: string | undefined) => key !== undefined && askedUnder.has(key);

  return later
    .filter(
      ({ id, method, service }) =>
        !known.has(id) && method !== 'GET' && service !== 'secrets-manager',
    )
    .filter(({ headers }) => !isAskedAgain(headers['idempotency-key']))
    .map(({ service, method, path }) => `${service} ${method} ${path}`);
}

function finalOnes(effects: readonly string[]): readonly string[] {
  return effects.filter(isFinal);
}

type Attempt = {
  readonly world: World;
  readonly call: CallInput;
  readonly lived: Lived<Answer | undefined>;
  readonly changes: readonly Change[];
  readonly effects: readonly string[];
};

type Work = () => Promise<void>;

/** Leaves the work unprocessed. */
const leaveWork: Work = async () => undefined;

/** Sends a call with a key, crashes it, and runs the remaining work. */
async function sendAndCrash(contract: Contract, death: Death, work: Work): Promise<Attempt> {
  const world = await newWorld();
  const headers = { 'idempotency-key': randomUUID() };
  const call = { ...(await successfulCall(contract, world)), headers, ip: '2001:db8::3' };
  await work();
  const asked = await sandbox.requests();
  const { result: lived, changes } = await recorded(async () => {
    const outcome = await untilDeath(death, () => send(contract, gatewayEvent(contract, call)));
    await work();

    return outcome;
  });
  await lived.setFree();

  return { world, call, lived, changes, effects: effectsOf(await sandbox.requests(), asked) };
}

/** Repeats the call like a client that received no response. */
async function retry(contract: Contract, { world, call }: Attempt, work: Work) {
  const repetition = await again(contract, world, call);
  const asked = await sandbox.requests();
  const { result: answer, changes } = await recorded(async () => {
    const second = await send(contract, gatewayEvent(contract, repetition));
    await work();

    return second;
  });

  return { answer, changes, effects: effectsOf(await sandbox.requests(), asked) };
}

/**
 * Returns all crash points with partial effects: between writes, and before them if a vendor was
 * called.
 */
function partialCrashPoints({ lived: { writes }, effects }: Attempt): readonly Death[] {
  const numbers = Array.from({ length: writes }, (_, index) => index + 1);

  return [
    ...numbers
      .slice(effects.length > 0 ? 0 : 1)
      .map((nth) => ({ at: 'a write', nth, when: 'before' }) as const),
    ...numbers.slice(0, -1).map((nth) => ({ at: 'a write', nth, when: 'after' }) as const),
  ];
}

/** Work that the sweep dispatches, and the slot that an import holds until it is finished. */
const temporary = /^(?:OUTBOX|IMPORT_SLOT)#/;

/** Returns the kinds of new items, without temporary ones. */
function createdBy(changes: readonly Change[]): readonly string[] {
  const made = changes
    .filter(({ key, before, after }) => !before && after && !ofEveryRequest.test(key.pk))
    .filter(({ key }) => !temporary.test(key.sk));

  return shapesOf(made.map(({ key }) => key));
}

/** The network may have executed the crashed request, so the outcome is unknown. */
const mayBeUnknown: ReadonlySet<string> = new Set([
  'refreshSocialAccountToken',
  'replyToConversation',
]);

function allowedAfterCrash({ operationId, status = 200 }: Contract): readonly number[] {
  return mayBeUnknown.has(operationId) ? [status, 502] : [status];
}

/** The number of crash points per endpoint. */
const crashPoints = 1;

describe('retrying with an Idempotency-Key after a lost response', () => {
  it.each(repeatable)('repeats no effects: $operationId', async (contract) => {
    const first = await sendAndCrash(contract, { at: 'its answer' }, drainWork);
    const second = await retry(contract, first, drainWork);

    expect(first.lived.hasDied).toBe(true);
    expect(first.lived.result?.status).toBe(contract.status ?? 200);
    expect.soft(second.answer.headers['idempotent-replayed']).toBeUndefined();
    expect
      .soft(essenceOf(contract, second.answer))
      .toEqual(essenceOf(contract, first.lived.result));
    expect.soft(differencesOf(contract, first.world, second.changes)).toEqual([]);
    expect.soft(second.effects).toEqual([]);

    for (const death of evenly(
      partialCrashPoints(first),
      depth(crashPoints, Number.POSITIVE_INFINITY),
    )) {
      const half = await sendAndCrash(contract, death, leaveWork);
      const rest = await retry(contract, half, leaveWork);
      const made = [...createdBy(half.changes), ...createdBy(rest.changes)];
      const where = `${contract.operationId} ${JSON.stringify(death)}`;

      expect.soft(half.lived.hasDied, where).toBe(true);
      expect.soft(allowedAfterCrash(contract), where).toContain(rest.answer.status);
      expect.soft(without(made, createdBy(first.changes)), where).toEqual([]);
      expect
        .soft(finalOnes([...half.effects, ...rest.effects]).length, where)
        .toBeLessThanOrEqual(finalOnes(first.effects).length);
    }
  });
});
