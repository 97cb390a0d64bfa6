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
/** What each kind of caller has for a token in the world. */
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
 * A call without a body does what it is for, to a world that is needed no more; where it names a
 * thing, that is one which is not there.
 */
function doesItsWork({ method, body, params }: Contract): boolean {
  const names = Object.keys(params?.shape ?? {}).filter((name) => name !== 'organization_id');

  return method !== 'GET' && body === undefined && names.length === 0;
}

/** No body is right that is no object: who is told so has been let in, and nothing has been done. */
async function knock(contract: Contract, column: Column): Promise<Answer> {
  const throwaway = doesItsWork(contract) && verdictOn(contract, column) === 'let in';
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
  // A delivery that nobody signed is a 401 too, and has nothing to do with sessions.
  expect(body).not.toHaveProperty('code', 'SESSION_INVALID');
  expect(status).not.toBe(403);
  expect(body).not.toEqual(organizationNotFound);
}

describe('who may call an endpoint', () => {
  it.each(cells)('$operationId, $column: $verdict', async ({ contract, column, verdict }) => {
    const answer = await knock(contract, column);

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

  it('is tried for every route that is promised, and every kind of caller', () => {
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

describe('an organization of others', () => {
  it.each(ofMembers)(
    'is answered byte for byte like one that does not exist: $operationId',
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
      expect(withoutCount(theirs)).toBe(withoutCount(nobodys));
    },
  );
});

/** A rate limit counts both calls. */
function withoutCount(answer: Answer | undefined): string {
  return answer ? bytesOf(answer).replace(/;r=\d+;t=\d+/, '') : '';
}

const withSwitch = endpoints.flatMap((contract) => {
  const { access } = contract;

  return access.kind === 'member' && access.unless
    ? [{ contract, operationId: contract.operationId, ...access.unless }]
    : [];
});

describe('a setting that lets lower roles in', () => {
  it.each(withSwitch)(
    '$operationId, $setting: $lowestRole is let in while it is on, and nobody below',
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
