import { describe, expect, it } from 'vitest';
import { acceptsAnonymous, type Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { hearsOrganizationHeader } from '#scripts/build/generate/openapi/facts.ts';
import { fieldsOf } from '#scripts/fixtures/fields.ts';
import type { Values } from '#scripts/fixtures/fixture.ts';
import { tokenOf, unknownParams } from '#scripts/fixtures/fixtures.ts';
import type { CallInput } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import {
  authenticationRequired,
  organizationHeader,
  organizationNotFound,
  verdictOn,
} from '#tests/support/registry/access.ts';
import { seedOf } from '#tests/support/registry/fuzz.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { representatives } from '#tests/support/registry/representatives.ts';
import { newWorld } from '#tests/support/registry/world.ts';

liftRateLimits();
const world = await newWorld();
const strangersWorld = await newWorld();
const stranger = strangersWorld.people.OWNER;

function idsOf({ params }: Contract): readonly string[] {
  return params
    ? fieldsOf(params).flatMap(({ path, schema }) => (schema.format === 'uuid' ? [path] : []))
    : [];
}

const malformedIds = [
  'x',
  '1',
  '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6',
  '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f0',
  '0192f0c17b5a7c3e9d2f3a5b8c1d4e6f',
  '{0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f}',
  'ORG#0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f',
  '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6g',
  ' 0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f',
  '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f\n',
  '../0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f',
  '\u0000',
] as const;

/** Picks some malformed ids per parameter, because all parameters are parsed in the same way. */
function someMalformedIds({ operationId }: Contract, name: string): readonly string[] {
  const first = Math.abs(seedOf(`${operationId} ${name}`)) % malformedIds.length;

  return [...malformedIds, ...malformedIds].slice(first, first + depth(3, malformedIds.length));
}

const members = endpoints.filter(({ access }) => access.kind === 'member');

/** In the order of the middleware. */
const guarded = representatives(endpoints.filter(({ access }) => !acceptsAnonymous(access)));
const withIds = representatives(endpoints.filter((contract) => idsOf(contract).length > 0));
const ofMembers = representatives(members);
const withBody = representatives(members.filter(({ body }) => body !== undefined));
const aboveViewers = representatives(
  members.filter((contract) => contract.body && verdictOn(contract, 'VIEWER') === 'forbidden'),
);
const withOrganizationHeader = representatives(endpoints.filter(hearsOrganizationHeader));

const malformedBody = (contract: Contract): CallInput => (contract.body ? { body: '[' } : {});

function malformed(contract: Contract): Values {
  return {
    ...unknownParams(contract, world),
    ...Object.fromEntries(idsOf(contract).map((name) => [name, 'no-id'])),
  };
}

describe('for a request with several errors', () => {
  it.each(guarded)('a missing token is reported first: $operationId', async (contract) => {
    const params = malformed(contract);
    const headers = { 'x-organization-id': 'no-id', 'idempotency-key': '' };
    const answer = await probe(contract, { params, headers, ...malformedBody(contract) });

    expect(answer.body).toEqual(authenticationRequired);
  });

  it.each(withIds)(
    'malformed ids are reported before membership, role and body: $operationId',
    async (contract) => {
      const params = malformed(contract);
      const token = tokenOf(contract, strangersWorld);
      const answer = await probe(contract, { params, ...token, ...malformedBody(contract) });

      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual(
        idsOf(contract).map((name) => `${name} must be a valid UUID`),
      );
    },
  );

  it.each(ofMembers)('membership is reported before the body: $operationId', async (contract) => {
    const answer = await probe(contract, {
      params: unknownParams(contract, world),
      headers: organizationHeader(contract, world),
      token: stranger.token,
      ...malformedBody(contract),
    });

    expect(answer.body).toEqual(organizationNotFound);
  });

  it.each(aboveViewers)('the role is reported before the body: $operationId', async (contract) => {
    const params = unknownParams(contract, world);
    const { token } = world.people.VIEWER;
    const answer = await probe(contract, { params, token, ...malformedBody(contract) });

    expect(answer.status).toBe(403);
  });

  it.each(withBody)(
    'the body is reported before a missing resource: $operationId',
    async (contract) => {
      const params = unknownParams(contract, world);
      const { token } = world.people.OWNER;
      const answer = await probe(contract, { params, token, ...malformedBody(contract) });

      expect(answer.status).toBe(400);
    },
  );
});

describe('an invalid id', () => {
  it.each(withIds)("returns 400 with the parameter's name: $operationId", async (contract) => {
    const token = tokenOf(contract, world);
    for (const name of idsOf(contract)) {
      for (const value of someMalformedIds(contract, name)) {
        const params = { ...unknownParams(contract, world), [name]: value };
        const answer = await probe(contract, { params, ...token, ...malformedBody(contract) });

        expect([answer.status, answer.body.message], `${name} ${value}`).toEqual([
          400,
          [`${name} must be a valid UUID`],
        ]);
      }
    }
  });

  it.each(withOrganizationHeader)(
    'returns 400 in X-Organization-Id: $operationId',
    async (contract) => {
      const { token } = world.people.OWNER;
      for (const value of ['', ...someMalformedIds(contract, 'header')]) {
        const params = unknownParams(contract, world);
        const headers = { 'x-organization-id': value };
        const answer = await probe(contract, {
          params,
          headers,
          token,
          ...malformedBody(contract),
        });

        expect(answer.status, value).toBe(400);
        expect(answer.body.message).toEqual(['X-Organization-Id must be a valid UUID']);
      }
    },
  );

  it.each(withOrganizationHeader)(
    "returns 404 in X-Organization-Id for another tenant's id: $operationId",
    async (contract) => {
      const params = unknownParams(contract, world);
      const headers = { 'x-organization-id': world.organizationId };
      const { token } = stranger;
      const answer = await probe(contract, { params, headers, token, ...malformedBody(contract) });

      expect(answer.body).toEqual(organizationNotFound);
    },
  );

  it.each(ofMembers.filter((contract) => !hearsOrganizationHeader(contract)))(
    'does not replace the id in the path if it is in X-Organization-Id: $operationId',
    async (contract) => {
      const params = unknownParams(contract, world);
      const headers = { 'x-organization-id': strangersWorld.organizationId };
      const { token } = strangersWorld.people.OWNER;
      const answer = await probe(contract, { params, headers, token, ...malformedBody(contract) });

      expect(answer.body).toEqual(organizationNotFound);
    },
  );
});
