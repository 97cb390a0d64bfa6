// Runs in a separate process: a process reads the salt of a day only once
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, secondMs, setClock } from '#lib/platform/clock.ts';
import { areaOf, type Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { isIdempotent } from '#scripts/build/generate/openapi/facts.ts';
import { successfulCall } from '#scripts/fixtures/fixtures.ts';
import type { World } from '#scripts/fixtures/world.ts';
import type { CallInput } from '#tests/support/api.ts';
import {
  expiringKindOf,
  expiringKinds,
  isOfTime,
  leavePast,
  pasts,
} from '#tests/support/registry/expiring.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import {
  type Change,
  expired,
  type Outcome,
  outcomeOf,
  recorded,
  redo,
  takeBack,
} from '#tests/support/registry/rehearsal.ts';
import { newWorld } from '#tests/support/registry/world.ts';
import { type Item, removeItems, storeItems } from '#tests/support/table.ts';

/** A call, and its outcome after everything that can expire was removed. */
type Rehearsed = {
  readonly call: CallInput;
  /** The items that the call requires. */
  readonly needs: readonly Change[];
  readonly outcome: Outcome;
  /** Items that may affect the call once expired, with its expected outcome. */
  readonly cases: readonly Case[];
  /** True if the call may read other items of the world. */
  readonly looksAround: boolean;
};

type Case = { readonly late: readonly Item[]; readonly outcome: Outcome };

let world: World;
/** Items of the world that can expire, in addition to those that a call requires. */
let past: readonly Item[];
const rehearsed = new Map<Contract, Rehearsed>();
/** The kinds of all items that expired in a test, with their lifetimes in minutes. */
const seenKinds = new Map<string, Set<number>>();

const startedAt = Date.now();
const stopClock = () => setClock(() => startedAt);

beforeAll(async () => {
  liftRateLimits();
  stopClock();
  world = await newWorld();
  const { changes } = await recorded(() => leavePast(world));
  past = expiringIn(changes);
});

beforeEach(stopClock);

/** Returns the written items that can expire. */
function expiringIn(changes: readonly Change[]): readonly Item[] {
  const items = changes.flatMap(({ after }) => (after?.expiresAtSeconds ? [after] : []));
  for (const item of items) {
    const kind = expiringKindOf(item) ?? `unheard of: ${item.pk} ${item.sk}`;
    const lasts = Math.round((Number(item.expiresAtSeconds) * secondMs - startedAt) / minuteMs);
    seenKinds.set(kind, (seenKinds.get(kind) ?? new Set()).add(lasts));
  }

  return items;
}

async function rehearse(contract: Contract): Promise<Rehearsed> {
  const { result: call, changes: needs } = await recorded(() => prepare(contract));
  const { outcome, changes, asksFor } = await outcomeOf(contract, call);
  await takeBack(changes);
  const made = changes.filter(({ before }) => !before);
  const left = expiringIn(made).filter((item) => !isOfTime(item));
  const own = expiringIn(needs).filter(asksFor);
  const cases: Case[] = [];
  const looksAround = past.some(asksFor);
  if (looksAround || left.length > 0) {
    cases.push({ late: left, outcome });
  }
  if (own.length > 0) {
    await removeItems(own);
    cases.push({ late: own, outcome: await revertedOutcome(contract, call) });
  }
  await takeBack(needs);

  return { call, needs, outcome, cases, looksAround };
}

/**
 * Tests idempotency keys for some endpoints only, because all share the code, and some respond with
 * secrets that differ each time.
 */
function testsIdempotencyKey(contract: Contract): boolean {
  return isIdempotent(contract) && areaOf(contract) === 'organizations';
}

/** Prepares a successful call. */
async function prepare(contract: Contract): Promise<CallInput> {
  const call = await successfulCall(contract, world);
  await pasts[contract.operationId]?.(world, call);
  const key = testsIdempotencyKey(contract) ? { 'idempotency-key': 'the same' } : {};

  return { ...call, headers: { ...call.headers, ...key }, ip: '2001:db8::6' };
}

/** Returns the outcome of a call, and reverts its changes. */
async function revertedOutcome(contract: Contract, call: CallInput): Promise<Outcome> {
  const { outcome, changes } = await outcomeOf(contract, call);
  await takeBack(changes);

  return outcome;
}

function rehearsalOf(contract: Contract): Rehearsed {
  const rehearsal = rehearsed.get(contract);
  if (!rehearsal) {
    throw new Error(`${contract.operationId} was not rehearsed`);
  }

  return rehearsal;
}

/** Vendors remember these calls, so only a new call of the same kind can succeed. */
const notRepeatable = new Set(['removePaymentMethod']);

const methods = [
  ['reads', endpoints.filter(({ method }) => method === 'GET')],
  ['changes something', endpoints.filter(({ method }) => method !== 'GET')],
] as const;

describe.each(methods)('an expired item, for an endpoint that %s', (_, contracts) => {
  beforeAll(async () => {
    stopClock();
    await removeItems(past);
    for (const contract of contracts) {
      rehearsed.set(contract, await rehearse(contract));
    }
    await storeItems(expired(past));
  });

  it.each(contracts)('is treated as removed: $operationId', async (contract) => {
    const { call, needs, cases } = rehearsalOf(contract);
    for (const { late, outcome } of cases) {
      await redo(needs);
      const again = notRepeatable.has(contract.operationId) ? await prepare(contract) : call;
      await storeItems(expired(late));

      expect(await revertedOutcome(contract, again)).toEqual(outcome);
      await takeBack(needs);
      await removeItems(late);
    }
  });
});

describe('an item that has not expired', () => {
  it('is returned by endpoints that read other items of the world', async () => {
    await storeItems(past);
    const showing = [];
    for (const [contract, { call, needs, outcome, looksAround }] of rehearsed) {
      if (looksAround && contract.method === 'GET') {
        await redo(needs);
        const { answer } = await revertedOutcome(contract, call);
        await takeBack(needs);
        showing.push(...(answer === outcome.answer ? [] : [contract.operationId]));
      }
    }

    expect(showing).toEqual([
      'listSessions',
      'listInvitations',
      'getContentAnalytics',
      'getHealthStatus',
      'getServiceHealth',
      'getMetrics',
      'getHistoricalMetrics',
      'getOrganizationHealth',
      'getStatusPage',
    ]);
  });

  it('affects the outcome of some calls', () => {
    const about = [...rehearsed].filter(([, { cases, outcome }]) =>
      cases.some((one) => one.outcome.answer !== outcome.answer),
    );

    expect(about.map(([{ operationId }]) => operationId)).toEqual([
      'openSignInLink',
      'getImport',
      'getSocialAccountStats',
      'receiveOauthCallback',
      'getOauthSession',
      'openConnectLink',
      'listAccountDeliveries',
      'getDataDeletionPage',
      'traceConversation',
      'listCampaignDeliveries',
      'getBioLinkStats',
      'logInWithTwoFactor',
      'resetPassword',
      'verifyEmail',
      'revertEmail',
      'revokeSession',
      'revokeInvitation',
      'lookUpInvitation',
      'acceptInvitation',
      'declineInvitation',
      'submitSignInLink',
      'connectOauthSession',
      'submitConnectLink',
      'replayAccountDelivery',
      'replayOrganizationWebhookDelivery',
      'replayCampaignDelivery',
    ]);
  });
});

describe('the kinds of expiring items', () => {
  it('have all been tested here', () => {
    expect([...seenKinds.keys()].sort()).toEqual(Object.keys(expiringKinds).sort());
  });

  it('last as long as documented', () => {
    const promised = Object.entries(expiringKinds).filter(([, { lasts }]) => lasts !== undefined);

    expect(
      Object.fromEntries(
        promised.map(([kind]) => [
          kind,
          [...(seenKinds.get(kind) ?? [])].sort((one, other) => one - other),
        ]),
      ),
    ).toEqual(Object.fromEntries(promised.map(([kind, { lasts }]) => [kind, lasts])));
  });

  it('match those of the service', () => {
    const folder = fileURLToPath(new URL('../../lib', import.meta.url));
    const naming = globSync('**/*.ts', { cwd: folder, exclude: ['platform/db/**'] }).filter(
      (path) => readFileSync(`${folder}/${path}`, 'utf8').includes('expiresAtSeconds'),
    );
    const sources = Object.values(expiringKinds).map(({ source }) => source);

    expect(naming.sort()).toEqual(
      [...new Set([...sources, ...readers, ...limiters])].map((path) => `${path}.ts`).sort(),
    );
  });
});

/** Their counters belong to a time window, and their leases end earlier. */
const limiters = [
  'platform/rate-limits/rate-limiter',
  'platform/rate-limits/request-counter',
  'platform/work/slots',
];

/** These modules only remove the expiry, or contain it in a type or a cookie. */
const readers = [
  'features/conversations/messages/messages',
  'platform/identity/known-device',
  'features/content/posts/post',
  'features/erasure/data-deletion/data-deletion',
  'platform/identity/identity',
  'features/leads/import/import-record',
  'features/organizations/invitations',
];
