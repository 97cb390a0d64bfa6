import { describe, expect, it } from 'vitest';
import { getMe } from '#schemas/auth.ts';
import { acceptsAnonymous, type Contract, takesCookies } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { updateOrganization } from '#schemas/organizations.ts';
import { unknownParams } from '#scripts/fixtures/fixtures.ts';
import { depth } from '#tests/support/depth.ts';
import { authenticationRequired, sessionInvalid } from '#tests/support/registry/access.ts';
import { type BadToken, badTokens, goodToken } from '#tests/support/registry/bad-tokens.ts';
import { seedOf } from '#tests/support/registry/fuzz.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { representatives } from '#tests/support/registry/representatives.ts';
import { newWorld } from '#tests/support/registry/world.ts';

liftRateLimits();
const world = await newWorld();
const bad = await badTokens(world.people.OWNER, world.people.VIEWER);

const guarded = endpoints.filter(({ access }) => access.kind !== 'public');
const guardedShapes = representatives(guarded);
const open = representatives(endpoints.filter(({ access }) => access.kind === 'public'));

/**
 * Picks some bad tokens per endpoint, because all endpoints share the token code. Each token is
 * used by many endpoints. `offset` picks different ones for the header than for the cookie.
 */
function someOf(all: readonly BadToken[], contract: Contract, offset = 0) {
  const first = (Math.abs(seedOf(contract.operationId)) + offset) % all.length;
  const count = depth(guardedShapes.includes(contract) ? 8 : 1, all.length);

  return [...all, ...all].slice(first, first + count);
}

/** Values of `Authorization` that contain no bearer token. */
const otherSchemes = ['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Token x', 'Bearer a b', 'bearer,x'];

describe('an invalid token', () => {
  it('is tested in at least 40 variants, none of which is a valid token', async () => {
    const token = await goodToken(world.people.OWNER);

    expect(new Set(bad.map((vector) => vector.token)).size).toBeGreaterThanOrEqual(40);
    expect((await probe(getMe, { token })).status).toBe(200);
  });

  it.each([getMe, updateOrganization])(
    'returns 401 in each variant: $operationId',
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

  it('is sent to at least one endpoint in each variant', () => {
    const met = guarded.flatMap((contract) => someOf(bad, contract));

    expect(bad.filter((vector) => !met.includes(vector))).toEqual([]);
  });

  it.each(guarded)('returns 401 for $operationId', async (contract) => {
    for (const { name, token } of someOf(bad, contract)) {
      const params = unknownParams(contract, world);
      const answer = await probe(contract, { params, token });

      expect(answer.body, name).toEqual(sessionInvalid);
    }
  });

  it.each(guarded.filter(takesCookies))(
    'returns 401 in the cookie: $operationId',
    async (contract) => {
      for (const { name, token } of someOf(bad, contract, bad.length >> 1)) {
        const params = unknownParams(contract, world);
        const cookies = [`__Host-auth_token=${token}`];
        const headers = { origin: 'http://localhost:3000' };
        const answer = await probe(contract, { params, cookies, headers });

        expect(answer.body, name).toEqual(sessionInvalid);
      }
    },
  );

  it.each(guardedShapes)('returns 401 even with a valid cookie: $operationId', async (contract) => {
    const cookies = [`__Host-auth_token=${world.people.OWNER.token}`];
    for (const authorization of otherSchemes) {
      const params = unknownParams(contract, world);
      const headers = { authorization, origin: 'http://localhost:3000' };
      const answer = await probe(contract, { params, cookies, headers });

      expect(answer.body, authorization).toEqual(sessionInvalid);
    }
  });
});

describe('a missing token', () => {
  it.each(guarded.filter(({ access }) => !acceptsAnonymous(access)))(
    'returns 401: $operationId',
    async (contract) => {
      const params = unknownParams(contract, world);
      const others = ['auth_token=x', 'session=y', '__Host-auth_token=', 'x__Host-auth_token=z'];
      for (const cookies of [[], others]) {
        const answer = await probe(contract, { params, cookies });

        expect(answer.body).toEqual(authenticationRequired);
      }
    },
  );

  it.each(open)('is accepted like an invalid one: $operationId', async (contract) => {
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
