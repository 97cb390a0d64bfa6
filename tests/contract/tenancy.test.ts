import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newApiKey } from '#lib/platform/identity/api-key.ts';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { withValue } from '#scripts/fixtures/fields.ts';
import type { Body } from '#scripts/fixtures/fixture.ts';
import { successfulCall, tokenOf, unknownParams } from '#scripts/fixtures/fixtures.ts';
import type { World } from '#scripts/fixtures/world.ts';
import { depth } from '#tests/support/depth.ts';
import { metered } from '#tests/support/metered.ts';
import {
  organizationHeader,
  organizationNotFound,
  refusalBody,
  sessionInvalid,
  verdictOn,
} from '#tests/support/registry/access.ts';
import {
  type Attack,
  attacksOn,
  callOf,
  canBeAttacked,
  idFields,
  namesATenantsThing,
  type Target,
  targetOf,
  theirIdIn,
} from '#tests/support/registry/attacks.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { linkedThings } from '#tests/support/registry/linked-things.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { snapshotOf } from '#tests/support/registry/snapshot.ts';
import { newWorld } from '#tests/support/registry/world.ts';

let attacker: World;
let victim: World;
let targets: readonly Target[];

const attempts = depth(1_000, 10_000);
const attackable = endpoints.filter(canBeAttacked);

beforeAll(async () => {
  liftRateLimits();
  [attacker, victim] = await Promise.all([newWorld(), newWorld()]);
  const things = await linkedThings(victim);
  const made: Target[] = [];
  for (const contract of attackable) {
    made.push(await targetOf(contract, attacker, victim, things));
  }
  targets = made;
});

function expectNothingOfTheirs(text: string): void {
  for (const name of victim.names) {
    expect(text).not.toContain(name);
  }
}

/** Returns true if the endpoint uses ids in a body or query only for reading, like a filter. */
function onlyReads({ access }: Contract): boolean {
  return access.kind === 'member' && access.lowestRole === 'VIEWER';
}

/**
 * Expects the response for a missing resource, or an error about a low role. Filters find nothing.
 */
async function attempt(attack: Attack): Promise<void> {
  const { target, kind, role } = attack;
  const { contract } = target;
  const answer = await probe(contract, callOf(attack, attacker, victim));
  const isForbidden = verdictOn(contract, role) === 'forbidden';
  expectNothingOfTheirs(JSON.stringify(answer));
  if (kind.startsWith('the organization')) {
    expect(answer.body).toEqual(organizationNotFound);
  } else if (isForbidden && contract.access.kind === 'member') {
    expect(answer.body).toEqual(refusalBody(contract.access.refusal));
  } else if (
    kind === 'an id in the query' ||
    (kind === 'an id in the body' && onlyReads(contract))
  ) {
    expect([200, 400, 404]).toContain(answer.status);
  } else {
    expect([400, 404]).toContain(answer.status);
  }
}

describe('a member of one organization', () => {
  it('can neither read nor change anything of another', async () => {
    const before = await snapshotOf(victim);
    let made = 0;
    const property = fc.asyncProperty(attacksOn(targets), async (attack) => {
      made += 1;
      await attempt(attack);
    });
    await fc.assert(property, { numRuns: attempts, seed: 20_260_115, endOnFailure: true });

    expect(made).toBeGreaterThanOrEqual(attempts);
    expect(await snapshotOf(victim)).toBe(before);
  });

  it('tries every endpoint that accepts ids', () => {
    const named = endpoints.filter(
      ({ access, params }) =>
        access.kind === 'member' ||
        (access.kind === 'user' && Object.keys(params?.shape ?? {}).some(namesATenantsThing)),
    );

    expect(named.filter((contract) => !attackable.includes(contract))).toEqual([]);
  });

  it.each(attackable.filter(({ params }) => Object.keys(params?.shape ?? {}).length > 1))(
    "gets the same response for another tenant's resource as for an unknown one: $operationId",
    async (contract) => {
      const target = targets.find((one) => one.contract === contract);
      const { OWNER } = attacker.people;
      const organization = { organization_id: attacker.organizationId };
      const body = target?.own.body ? { body: target.own.body } : {};
      const [theirs, nobodys] = await Promise.all(
        [target?.theirs.params, unknownParams(contract, attacker)].map((params) =>
          probe(contract, { params: { ...params, ...organization }, token: OWNER.token, ...body }),
        ),
      );

      expect(theirs?.status).toBe(404);
      expect(theirs?.body.message).toMatch(/^[A-Z].* not found or you don't have access$/);
      expect(theirs?.body).toEqual(nobodys?.body);
      expect(Object.keys(theirs?.headers ?? {})).toEqual(Object.keys(nobodys?.headers ?? {}));
    },
  );
});

describe('a caller without access', () => {
  it.each(endpoints.filter(({ access }) => access.kind === 'member'))(
    'makes the service read nothing of the organization: $operationId',
    async (contract) => {
      const { theirs } = targetFor(contract);
      const { OWNER } = attacker.people;
      const call = { ...theirs, headers: organizationHeader(contract, victim) };
      const stranger = await metered(() => probe(contract, { ...call, token: OWNER.token }));
      const madeUp = await metered(() => probe(contract, { ...call, token: newApiKey() }));

      expect(stranger.result.body).toEqual(organizationNotFound);
      expect(keysNaming(victim, stranger.requests)).toEqual([`MEMBER#${OWNER.userId}`]);
      expect(madeUp.result.body).toEqual(sessionInvalid);
      expect(madeUp.requests).toHaveLength(1);
      expect(keysNaming(victim, madeUp.requests)).toEqual([]);
    },
  );
});

/** Returns the sort keys of requests for the organization's partitions. */
function keysNaming({ organizationId }: World, requests: readonly string[]): readonly string[] {
  return requests.flatMap((request) =>
    request
      .split(organizationId)
      .slice(1)
      .map((rest) => /^","sk":"([^"]+)/.exec(rest)?.[1] ?? rest),
  );
}

function targetFor(contract: Contract): Target {
  const target = targets.find((one) => one.contract === contract);
  if (!target) {
    throw new Error(`${contract.operationId} cannot be attacked`);
  }

  return target;
}

/** Returns every body or query field that contains an id. */
function fieldsNaming(part: 'body' | 'query') {
  return attackable.flatMap((contract) =>
    idFields(contract[part]).map((field) => ({ contract, field, path: field.path })),
  );
}

describe("another organization's id", () => {
  it.each(fieldsNaming('body'))(
    'in a body gets the same response as an unknown id: $contract.operationId, $path',
    async ({ contract, field }) => {
      const call = await successfulCall(contract, attacker);
      const ids = [theirIdIn(targetFor(contract), field), crypto.randomUUID()];
      const answers = [];
      for (const id of ids) {
        const body = withValue(call.body as Body, field.keys, id);
        answers.push(await probe(contract, { ...call, body }));
      }
      const [theirs, nobodys] = answers;

      expectNothingOfTheirs(JSON.stringify(theirs));
      expect(JSON.stringify(theirs?.body).replaceAll(ids[0] ?? '', ids[1] ?? '')).toBe(
        JSON.stringify(nobodys?.body),
      );
      expect(onlyReads(contract) ? [200, 400, 404] : [400, 404]).toContain(theirs?.status);
      // With the caller's own id, the call succeeds, so nothing else was wrong with the request.
      expect((await probe(contract, call)).status).toBe(contract.status ?? 200);
    },
  );

  it.each(fieldsNaming('query'))(
    'in a query returns the same as an unknown id: $contract.operationId, $path',
    async ({ contract, field }) => {
      const [name = ''] = field.keys;
      const id = theirIdIn(targetFor(contract), field);
      const ask = async (world: World, value: string) => {
        const params = unknownParams(contract, world);
        const { status, body } = await probe(contract, {
          params,
          query: { [name]: value },
          ...tokenOf(contract, world),
        });

        return JSON.stringify({ status, body }).replaceAll(value, '');
      };

      // With the owner's own id, the owner does get results.
      expect(await ask(victim, id)).not.toBe(await ask(victim, crypto.randomUUID()));
      const theirs = await ask(attacker, id);
      expect(theirs).toBe(await ask(attacker, crypto.randomUUID()));
      expectNothingOfTheirs(theirs);
    },
  );
});
