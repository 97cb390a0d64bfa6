import { beforeAll, describe, expect, it } from 'vitest';
import { revokeApiKey } from '#lib/features/organizations/api-keys.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { type Contract, peopleOnlyMessage } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import {
  organizationHeader,
  organizationNotFound,
  refusalBody,
  sessionInvalid,
  verdictOn,
} from '#tests/support/registry/access.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { isPromisedForPeople } from '#tests/support/registry/promised.ts';
import { newKey, newWorld, type World } from '#tests/support/registry/world.ts';
import { unknownParams } from '#tests/support/registry/worlds.ts';

const columns = [
  'VIEWER',
  'MEMBER',
  'ADMIN',
  'revoked',
  'expired',
  'another organization',
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

/** What the documented interface promises for a key, independently of `peopleOnly`. */
function verdictOnKey(contract: Contract, column: KeyColumn) {
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

const cells = endpoints.flatMap((contract) =>
  columns.map((column) => ({
    contract,
    column,
    operationId: contract.operationId,
    verdict: verdictOnKey(contract, column),
  })),
);

function refusalOf({ access }: Contract): string {
  return access.kind === 'member' ? access.refusal : '';
}

function expectLetIn(contract: Contract, { status, body }: Awaited<ReturnType<typeof probe>>) {
  if (contract.body) {
    expect(status).toBe(400);
    expect(body.message).toEqual(['Request body must be a valid JSON object']);

    return;
  }
  expect(body).not.toHaveProperty('code', 'SESSION_INVALID');
  expect(status).not.toBe(403);
  expect(body).not.toEqual(organizationNotFound);
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
  it.each(cells)('$operationId, $column: $verdict', async ({ contract, column, verdict }) => {
    const answer = await call(contract, column);

    switch (verdict) {
      case 'unauthorized':
        expect(answer.body).toEqual(sessionInvalid);
        break;
      case 'people only':
        expect(answer.body).toEqual(refusalBody(peopleOnlyMessage));
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

  it.each(endpoints.filter(isPromisedForPeople))(
    'needs a person, whatever else is wrong: $operationId',
    async (contract) => {
      const answer = await probe(contract, {
        params: { organization_id: 'no-id', key_id: 'no-id', payment_method_id: '%' },
        headers: { 'x-organization-id': 'no-id', 'idempotency-key': '' },
        token: tokens.VIEWER,
        ...(contract.body ? { body: '[' } : {}),
      });

      expect(answer.body).toEqual(refusalBody(peopleOnlyMessage));
    },
  );

  it.each(endpoints.filter(({ access }) => access.kind !== 'public'))(
    'is not possible with a key in the cookie: $operationId',
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
