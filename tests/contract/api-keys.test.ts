import { beforeAll, describe, expect, it } from 'vitest';
import { revokeApiKey } from '#lib/features/organizations/api-keys.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { type Contract, takesCookies } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { unknownParams } from '#scripts/fixtures/fixtures.ts';
import { operatorKey } from '#scripts/fixtures/operator-fixtures.ts';
import { newKey, type World } from '#scripts/fixtures/world.ts';
import {
  callersToTry,
  expectVerdict,
  organizationHeader,
  personRequired,
  sessionInvalid,
  type Verdict,
  verdictOn,
} from '#tests/support/registry/access.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { isPromisedForPeople } from '#tests/support/registry/promised.ts';
import { representatives } from '#tests/support/registry/representatives.ts';
import { newWorld } from '#tests/support/registry/world.ts';

/** In ascending order of permissions. */
const columns = [
  'revoked',
  'expired',
  'another organization',
  'VIEWER',
  'MEMBER',
  'ADMIN',
] as const;
type KeyColumn = (typeof columns)[number];

let world: World;
let tokens: Readonly<Record<KeyColumn, string>>;

async function revokedKey({ organizationId, people }: World): Promise<string> {
  const { apiKey, key } = await newKey(world, 'ADMIN');
  await revokeApiKey(organizationId, people.OWNER.userId, apiKey.apiKeyId);

  return key;
}

async function expiredKey(): Promise<string> {
  const { apiKey, key } = await newKey(world, 'ADMIN', { expiresAt: timestamp(60_000) });
  await write(change(keys.apiKey(apiKey.keyHash), { set: { expiresAt: timestamp(-1) } }));

  return key;
}

beforeAll(async () => {
  liftRateLimits();
  world = await newWorld();
  const keyOf = async (place: World, role: 'VIEWER' | 'MEMBER' | 'ADMIN') =>
    (await newKey(place, role)).key;
  tokens = {
    VIEWER: await keyOf(world, 'VIEWER'),
    MEMBER: await keyOf(world, 'MEMBER'),
    ADMIN: await keyOf(world, 'ADMIN'),
    revoked: await revokedKey(world),
    expired: await expiredKey(),
    'another organization': await keyOf(await newWorld(), 'ADMIN'),
  };
});

/** Returns the documented access of a key, independently of `peopleOnly`. */
function verdictOnKey(contract: Contract, column: KeyColumn): Verdict {
  if (contract.access.kind === 'public') {
    return 'let in';
  }
  if (column === 'revoked' || column === 'expired') {
    return 'unauthorized';
  }
  if (isPromisedForPeople(contract)) {
    return 'people only';
  }

  return verdictOn(contract, column === 'another organization' ? 'stranger' : column);
}

function call(contract: Contract, column: KeyColumn) {
  return probe(contract, {
    params: unknownParams(contract, world),
    headers: organizationHeader(contract, world),
    token: tokens[column],
    ...(contract.body ? { body: '[]' } : {}),
  });
}

describe('access with an API key', () => {
  it.each(endpoints)('depends on the role of the key: $operationId', async (contract) => {
    for (const column of callersToTry(contract, columns, verdictOnKey)) {
      const answer = await call(contract, column);

      expectVerdict(contract, verdictOnKey(contract, column), answer, column);
    }
  });

  it.each(representatives(endpoints.filter(isPromisedForPeople)))(
    'is limited to people, before any other error: $operationId',
    async (contract) => {
      const answer = await probe(contract, {
        params: { organization_id: 'no-id', key_id: 'no-id', payment_method_id: '%' },
        headers: { 'x-organization-id': 'no-id', 'idempotency-key': '' },
        token: tokens.VIEWER,
        ...(contract.body ? { body: '[' } : {}),
      });

      expect(answer.body).toEqual(personRequired);
    },
  );

  it.each(representatives(endpoints.filter(takesCookies)))(
    'is rejected with a key in the cookie: $operationId',
    async (contract) => {
      const answer = await probe(contract, {
        params: unknownParams(contract, world),
        headers: { origin: 'http://localhost:3000' },
        cookies: [`__Host-auth_token=${tokens.ADMIN}`],
      });

      expect(answer.body).toEqual(sessionInvalid);
    },
  );
});

const tenants = endpoints.filter(({ access }) => !['public', 'operator'].includes(access.kind));

describe("access with an operator's key", () => {
  it.each(tenants)('is rejected: $operationId', async (contract) => {
    const answer = await probe(contract, {
      params: unknownParams(contract, world),
      headers: organizationHeader(contract, world),
      token: operatorKey,
    });

    expect(answer.body).toEqual(sessionInvalid);
  });
});
