import { describe, expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { type Contract, roles } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { leaveOrganization } from '#schemas/organizations.ts';
import { unknownParams } from '#scripts/fixtures/fixtures.ts';
import type { Answer } from '#tests/support/api.ts';
import {
  type Column,
  callersToTry,
  columns,
  expectVerdict,
  organizationHeader,
  organizationNotFound,
  tokenOf,
  verdictOn,
  worksInCurrent,
} from '#tests/support/registry/access.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { bytesOf, probe } from '#tests/support/registry/probe.ts';
import { promised, routeOf } from '#tests/support/registry/promised.ts';
import { representatives } from '#tests/support/registry/representatives.ts';
import { newWorld } from '#tests/support/registry/world.ts';

/** The token of each kind of caller. */

liftRateLimits();
const world = await newWorld();
const stranger = (await newWorld()).people.OWNER;
const tokens = new Map(
  await Promise.all(
    columns.map(async (column) => [column, await tokenOf(column, world, stranger)] as const),
  ),
);

/**
 * Returns true for a call that takes effect without a body or a resource id, so it gets its own
 * world. Calls with a resource id get one that does not exist.
 */
function hasSideEffects({ method, body, params }: Contract): boolean {
  const names = Object.keys(params?.shape ?? {}).filter((name) => name !== 'organization_id');

  return method !== 'GET' && body === undefined && names.length === 0;
}

async function probeAccess(contract: Contract, column: Column): Promise<Answer> {
  const throwaway = hasSideEffects(contract) && verdictOn(contract, column) === 'let in';
  const place = throwaway ? await newWorld() : world;
  const token = throwaway ? await tokenOf(column, place, stranger) : tokens.get(column);

  return probe(contract, {
    params: unknownParams(contract, place),
    headers: organizationHeader(contract, place),
    ...(contract.body ? { body: '[]' } : {}),
    ...(token === undefined ? {} : { token }),
  });
}

describe('access to endpoints', () => {
  it.each(endpoints)(
    'is granted only to the documented callers: $operationId',
    async (contract) => {
      for (const column of callersToTry(contract, columns, verdictOn)) {
        const answer = await probeAccess(contract, column);

        expectVerdict(contract, verdictOn(contract, column), answer, column);
      }
    },
  );

  it('is tested for every documented route', () => {
    expect(endpoints.map(routeOf).sort()).toEqual(Object.keys(promised).sort());
  });
});

const ofMembers = representatives(endpoints.filter(({ access }) => access.kind === 'member'));

describe('another organization', () => {
  it.each(ofMembers)(
    'gets the same response, byte for byte, as one that does not exist: $operationId',
    async (contract) => {
      const nowhere = { ...world, organizationId: crypto.randomUUID() };
      const [theirs, nobodys] = await Promise.all(
        [world, nowhere].map((place) =>
          probe(contract, {
            params: unknownParams(contract, place),
            headers: organizationHeader(contract, place),
            token: stranger.token,
            ip: '2001:db8::2',
            ...(contract.body ? { body: {} } : {}),
          }),
        ),
      );

      expect(theirs?.body).toEqual(organizationNotFound);
      expect(withoutRateLimit(theirs)).toBe(withoutRateLimit(nobodys));
    },
  );
});

describe('a session without an organization', () => {
  const ofCurrent = representatives(endpoints.filter(worksInCurrent));

  it('gets a 404 for everything that belongs to the current organization', async () => {
    const { organizationId, people } = await newWorld();
    const { token } = people.VIEWER;
    const params = { organization_id: organizationId };
    expect((await probe(leaveOrganization, { params, token })).status).toBe(200);

    expect(ofCurrent).not.toEqual([]);
    for (const contract of ofCurrent) {
      const answer = await probe(contract, {
        params: unknownParams(contract, world),
        token,
        ...(contract.body ? { body: {} } : {}),
      });
      expect(answer.body, contract.operationId).toEqual(organizationNotFound);
    }
  });
});

/** Removes the rate limit counters, because both calls are counted. */
function withoutRateLimit(answer: Answer | undefined): string {
  return answer ? bytesOf(answer).replace(/;r=\d+;t=\d+/g, '') : '';
}

const withSwitch = endpoints.flatMap((contract) => {
  const { access } = contract;

  return access.kind === 'member' && access.unless
    ? [{ contract, operationId: contract.operationId, ...access.unless }]
    : [];
});

describe('a setting that admits lower roles', () => {
  it.each(withSwitch)(
    '$operationId, $setting: admits $lowestRole while it is on, and no lower role',
    async ({ contract, setting, lowestRole }) => {
      const open = await newWorld();
      const set = { [`settings.${setting}`]: true };
      await write(change(keys.organization(open.organizationId), { set }));
      const statuses = await Promise.all(
        roles.map(async (role) => {
          const params = unknownParams(contract, open);
          const { token } = open.people[role];

          return (await probe(contract, { params, token, body: '[]' })).status;
        }),
      );

      const lowest = roles.indexOf(lowestRole);
      expect(statuses).toEqual(roles.map((_, rank) => (rank <= lowest ? 400 : 403)));
    },
  );
});
