// In a process of its own: it listens to the table's client
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { isIdempotent } from '#scripts/build/generate/openapi/facts.ts';
import { isFinal } from '#tests/support/aftermath.ts';
import { type Answer, type Call, gatewayEvent, send } from '#tests/support/api.ts';
import { type Death, type Lived, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { sandbox } from '#tests/support/mails.ts';
import { type Change, recorded } from '#tests/support/registry/rehearsal.ts';
import { shapesOf } from '#tests/support/registry/shape.ts';
import { newSession, newWorld, type World } from '#tests/support/registry/world.ts';
import { callerOf, successfulCall } from '#tests/support/registry/worlds.ts';
import { without } from '#tests/support/without.ts';
import { drainWork } from '#tests/support/work.ts';

waitForNobody();

/** What ends the session that it is sent in cannot be sent again: it gets a 401. */
const endsItsSession = 'logOut';
const repeatable = endpoints.filter(
  (contract) => isIdempotent(contract) && contract.operationId !== endsItsSession,
);

/** The first call may have ended the session that it was made in. */
async function again(contract: Contract, world: World, call: Call): Promise<Call> {
  if (contract.access.kind === 'public') {
    return call;
  }

  return { ...call, ...(await newSession(callerOf(contract, world).userId, world.organizationId)) };
}

/** What of an answer, and of what is stored, a repetition says anew, as it should. */
const saidAnew: Readonly<Record<string, RegExp>> = {
  // The file is the same one, written once more; the link to it is signed for another hour.
  createUsageReport: /(?<="expiresAt":")[^"]+|(?<="reportUrl":"[^"?]+)\?[^"]+/g,
  // Each asks the network how things stand, and says since when it knows.
  validateSocialAccountToken: /(?<="validatedAt":")[^"]+/g,
  syncSocialAccount:
    /(?<="(lastSyncAt|takenAt)":")[^"]+|(?<="syncDuration":)[\d.]+|(?<="expiresAtSeconds":)\d+/g,
};

const nothing = /(?!)/;

function lasting({ operationId }: Contract, value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null).replace(saidAnew[operationId] ?? nothing, '0'));
}

function essenceOf(contract: Contract, answer: Answer | undefined): unknown {
  return lasting(contract, {
    status: answer?.status,
    body: answer?.body,
    cookies: answer?.cookies,
  });
}

/** What every request leaves, whatever it does. */
const ofEveryRequest = /^(IDEMPOTENCY|METRICS)#/;

/** What has become another; who read something and wrote it back has changed nothing. */
function differencesOf(contract: Contract, { organizationId }: World, changes: readonly Change[]) {
  return (
    changes
      .filter(({ key }) => !ofEveryRequest.test(key.pk))
      // A receiver that is not there is tried again at a time of its own, in the next world too.
      .filter(
        ({ key: { pk } }) => !pk.endsWith('#WEBHOOK_DELIVERIES') || pk.includes(organizationId),
      )
      .map(({ before, after }) => ({
        before: lasting(contract, before && { ...before, lastActiveAt: '', writeId: '' }),
        after: lasting(contract, after && { ...after, lastActiveAt: '', writeId: '' }),
      }))
      .filter(({ before, after }) => !isDeepStrictEqual(before, after))
  );
}

type SandboxRequest = Awaited<ReturnType<typeof sandbox.requests>>[number];

/** What may have an effect at a vendor, but what is asked for again under the vendor's own key. */
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
  readonly call: Call;
  readonly lived: Lived<Answer | undefined>;
  readonly changes: readonly Change[];
  readonly effects: readonly string[];
};

type Work = () => Promise<void>;

/** Whose work nobody waits for. */
const left: Work = async () => undefined;

/** A call under a key whose process dies, and the work that it leaves. */
async function sentInVain(contract: Contract, death: Death, work: Work): Promise<Attempt> {
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

/** The same, sent again by somebody who has not heard of an answer. */
async function sentAgain(contract: Contract, { world, call }: Attempt, work: Work) {
  const repetition = await again(contract, world, call);
  const asked = await sandbox.requests();
  const { result: answer, changes } = await recorded(async () => {
    const second = await send(contract, gatewayEvent(contract, repetition));
    await work();

    return second;
  });

  return { answer, changes, effects: effectsOf(await sandbox.requests(), asked) };
}

/** All moments at which a part is done: between the writes, and before them where a vendor was asked. */
function deathsHalfway({ lived: { writes }, effects }: Attempt): readonly Death[] {
  const numbers = Array.from({ length: writes }, (_, index) => index + 1);

  return [
    ...numbers
      .slice(effects.length > 0 ? 0 : 1)
      .map((nth) => ({ at: 'a write', nth, when: 'before' }) as const),
    ...numbers.slice(0, -1).map((nth) => ({ at: 'a write', nth, when: 'after' }) as const),
  ];
}

/** What is there that was not, by kind. Work that is left to the sweep comes to nothing more. */
function madeBy(changes: readonly Change[]): readonly string[] {
  const made = changes
    .filter(({ key, before, after }) => !before && after && !ofEveryRequest.test(key.pk))
    .filter(({ key }) => !key.sk.startsWith('OUTBOX#'));

  return shapesOf(made.map(({ key }) => key));
}

/** The network may have taken what a dead process asked of it: nobody can say yet. */
const mayBeUnknown: ReadonlySet<string> = new Set([
  'refreshSocialAccountToken',
  'replyToConversation',
]);

function allowedAfterDeath({ operationId, status = 200 }: Contract): readonly number[] {
  return mayBeUnknown.has(operationId) ? [status, 502] : [status];
}

describe('what is sent again under its Idempotency-Key, when nobody has heard the answer,', () => {
  it.each(repeatable)('is not done twice: $operationId', async (contract) => {
    const first = await sentInVain(contract, { at: 'its answer' }, drainWork);
    const second = await sentAgain(contract, first, drainWork);

    expect(first.lived.hasDied).toBe(true);
    expect(first.lived.result?.status).toBe(contract.status ?? 200);
    expect.soft(second.answer.headers['idempotent-replayed']).toBeUndefined();
    expect
      .soft(essenceOf(contract, second.answer))
      .toEqual(essenceOf(contract, first.lived.result));
    expect.soft(differencesOf(contract, first.world, second.changes)).toEqual([]);
    expect.soft(second.effects).toEqual([]);

    for (const death of deathsHalfway(first)) {
      const half = await sentInVain(contract, death, left);
      const rest = await sentAgain(contract, half, left);
      const made = [...madeBy(half.changes), ...madeBy(rest.changes)];
      const where = `${contract.operationId} ${JSON.stringify(death)}`;

      expect.soft(half.lived.hasDied, where).toBe(true);
      expect.soft(allowedAfterDeath(contract), where).toContain(rest.answer.status);
      expect.soft(without(made, madeBy(first.changes)), where).toEqual([]);
      expect
        .soft(finalOnes([...half.effects, ...rest.effects]).length, where)
        .toBeLessThanOrEqual(finalOnes(first.effects).length);
    }
  });
});
