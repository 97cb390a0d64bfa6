import { beforeAll, describe, expect, it } from 'vitest';
import { getMe } from '#schemas/auth.ts';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { updateOrganization } from '#schemas/organizations.ts';
import { depth } from '#tests/support/depth.ts';
import { authenticationRequired, sessionInvalid } from '#tests/support/registry/access.ts';
import { type BadToken, badTokens, goodToken } from '#tests/support/registry/bad-tokens.ts';
import { seedOf } from '#tests/support/registry/fuzz.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { newWorld, type World } from '#tests/support/registry/world.ts';
import { unknownParams } from '#tests/support/registry/worlds.ts';

let world: World;
let bad: readonly BadToken[];

beforeAll(async () => {
  liftRateLimits();
  world = await newWorld();
  bad = await badTokens(world.people.OWNER, world.people.VIEWER);
});

/**
 * Every endpoint meets some of them, and each of them meets many endpoints: all endpoints read
 * tokens with the same code. `offset` makes the header's another choice than the cookie's.
 */
function someOf(all: readonly BadToken[], { operationId }: Contract, offset = 0) {
  const first = (Math.abs(seedOf(operationId)) + offset) % all.length;

  return [...all, ...all].slice(first, first + Math.min(all.length, depth(8)));
}

const guarded = endpoints.filter(({ access }) => access.kind !== 'public');
const open = endpoints.filter(({ access }) => access.kind === 'public');

/** What `Authorization` may say without there being a bearer token in it. */
const otherSchemes = ['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Token x', 'Bearer a b', 'bearer,x'];

describe('a token that is not good', () => {
  it('is tried in at least 40 ways, none of which a good one has', async () => {
    const token = await goodToken(world.people.OWNER);

    expect(new Set(bad.map((vector) => vector.token)).size).toBeGreaterThanOrEqual(40);
    expect((await probe(getMe, { token })).status).toBe(200);
  });

  it.each([getMe, updateOrganization])(
    'is a 401 in each of them: $operationId',
    async (contract) => {
      for (const { name, token } of bad) {
        const params = unknownParams(contract, world);
        const cookies = [`__Host-auth_token=${token}`];
        const headers = { origin: 'http://localhost:3000' };
        const inHeader = await probe(contract, { params, token });
        const inCookie = await probe(contract, { params, cookies, headers });

        expect(inHeader.body, name).toEqual(sessionInvalid);
        expect(inCookie.body, name).toEqual(sessionInvalid);
      }
    },
  );

  it('is met by some endpoint in each of them', () => {
    const met = guarded.flatMap((contract) => someOf(bad, contract));

    expect(bad.filter((vector) => !met.includes(vector))).toEqual([]);
  });

  it.each(guarded)('is a 401 for $operationId', async (contract) => {
    for (const { name, token } of someOf(bad, contract)) {
      const params = unknownParams(contract, world);
      const answer = await probe(contract, { params, token });

      expect(answer.body, name).toEqual(sessionInvalid);
    }
  });

  it.each(guarded)('is a 401 in the cookie, too: $operationId', async (contract) => {
    for (const { name, token } of someOf(bad, contract, bad.length >> 1)) {
      const params = unknownParams(contract, world);
      const cookies = [`__Host-auth_token=${token}`];
      const headers = { origin: 'http://localhost:3000' };
      const answer = await probe(contract, { params, cookies, headers });

      expect(answer.body, name).toEqual(sessionInvalid);
    }
  });

  it.each(guarded)('is a 401 before a good cookie is looked at: $operationId', async (contract) => {
    const cookies = [`__Host-auth_token=${world.people.OWNER.token}`];
    for (const authorization of otherSchemes) {
      const params = unknownParams(contract, world);
      const headers = { authorization, origin: 'http://localhost:3000' };
      const answer = await probe(contract, { params, cookies, headers });

      expect(answer.body, authorization).toEqual(sessionInvalid);
    }
  });
});

describe('no token at all', () => {
  it.each(guarded)('is told so: $operationId', async (contract) => {
    const params = unknownParams(contract, world);
    const others = ['auth_token=x', 'session=y', '__Host-auth_token=', 'x__Host-auth_token=z'];
    for (const cookies of [[], others]) {
      const answer = await probe(contract, { params, cookies });

      expect(answer.body).toEqual(authenticationRequired);
    }
  });

  it.each(open)('is no matter for $operationId, nor is a bad one', async (contract) => {
    for (const token of ['garbage', undefined]) {
      const params = unknownParams(contract, world);
      const answer = await probe(contract, {
        params,
        ...(contract.body ? { body: '[]' } : {}),
        ...(token === undefined ? {} : { token }),
      });

      expect(answer.body).not.toHaveProperty('code', 'SESSION_INVALID');
    }
  });
});
