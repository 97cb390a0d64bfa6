import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { type Contract, roles } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import type { Answer } from '#tests/support/api.ts';
import {
  authenticationRequired,
  type Column,
  columns,
  organizationHeader,
  organizationNotFound,
  refusalBody,
  sessionInvalid,
  tokenOf,
  verdictOn,
} from '#tests/support/registry/access.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { bytesOf, probe } from '#tests/support/registry/probe.ts';
import { promised, routeOf } from '#tests/support/registry/promised.ts';
import { newWorld, type Person, type World } from '#tests/support/registry/world.ts';
import { unknownParams } from '#tests/support/registry/worlds.ts';

let world: World;
let stranger: Person;
/** The token of each kind of caller. */
let tokens: ReadonlyMap<Column, string | undefined>;

beforeAll(async () => {
  liftRateLimits();
  world = await newWorld();
  stranger = (await newWorld()).people.OWNER;
  tokens = new Map(
    await Promise.all(
      columns.map(async (column) => [column, await tokenOf(column, world, stranger)] as const),
    ),
  );
});

const cells = endpoints.flatMap((contract) =>
  columns.map((column) => ({
    contract,
    column,
    operationId: contract.operationId,
    verdict: verdictOn(contract, column),
  })),
);

/**
 * Returns true for a call without a body or thing id, which takes effect and so gets its own world.
 * Calls that name a thing get an id that does not exist.
 */
function hasSideEffects({ method, body, params }: Contract): boolean {
  const names = Object.keys(params?.shape ?? {}).filter((name) => name !== 'organization_id');

  return method !== 'GET' && body === undefined && names.length === 0;
}

/**
 * Sends a body that is not an object: a 400 about it shows that the caller was let in, without side
 * effects.
 */
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

function expectLetIn(contract: Contract, { status, body }: Answer): void {
  if (contract.body) {
    expect(status).toBe(400);
    expect(body.message).toEqual(['Request body must be a valid JSON object']);

    return;
  }
  // An unsigned webhook delivery also returns 401, but not because of a session.
  expect(body).not.toHaveProperty('code', 'SESSION_INVALID');
  expect(status).not.toBe(403);
  expect(body).not.toEqual(organizationNotFound);
}

describe('access to endpoints', () => {
  it.each(cells)('$operationId, $column: $verdict', async ({ contract, column, verdict }) => {
    const answer = await probeAccess(contract, column);

    switch (verdict) {
      case 'unauthorized':
        expect(answer.body).toEqual(
          column === 'no token' ? authenticationRequired : sessionInvalid,
        );
        break;
      case 'not found':
        expect(answer.body).toEqual(organizationNotFound);
        break;
      case 'forbidden':
        expect(answer.body).toEqual(refusalBody(refusalOf(contract)));
        break;
      default:
        expectLetIn(contract, answer);
    }
  });

  it('is tested for every documented route and every kind of caller', () => {
    const tried = cells.map(({ contract, column }) => `${routeOf(contract)} ${column}`);
    const wanted = Object.keys(promised).flatMap((route) =>
      columns.map((column) => `${route} ${column}`),
    );

    expect(tried.sort()).toEqual(wanted.sort());
  });
});

function refusalOf({ access }: Contract): string {
  return access.kind === 'member' ? access.refusal : '';
}

const ofMembers = endpoints.filter(({ access }) => access.kind === 'member');

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
