import { beforeAll, describe, expect, it } from 'vitest';
import { type Contract, takesCookies } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { callerOf, successfulCall } from '#scripts/fixtures/fixtures.ts';
import { newSession, type World } from '#scripts/fixtures/world.ts';
import type { CallInput } from '#tests/support/api.ts';
import { errorBodyOf } from '#tests/support/error-body.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { representatives } from '#tests/support/registry/representatives.ts';
import { snapshotOf } from '#tests/support/registry/snapshot.ts';
import { newWorld } from '#tests/support/registry/world.ts';
import { drainWork } from '#tests/support/work.ts';

type Headers = Readonly<Record<string, string>>;

const own = 'http://localhost:3000';
const foreign = 'https://attacker.example.com';

/** Headers of requests from other sites. */
const foreignHeaders: readonly Headers[] = [
  {},
  { origin: foreign },
  { origin: 'null' },
  { origin: '' },
  { origin: `${own}.attacker.example.com` },
  { origin: `${own}:80` },
  { origin: `${own}/` },
  { origin: 'https://localhost:3000' },
  { origin: 'http://LOCALHOST:3000' },
  { origin: 'http://localhost' },
  { origin: `${foreign}, ${own}` },
  { origin: foreign, referer: `${own}/page` },
  { origin: 'null', referer: `${own}/page` },
  { referer: `${foreign}/?${own}` },
  { referer: `http://localhost:3000@attacker.example.com/` },
  { referer: 'about:blank' },
  { referer: 'no url' },
  { 'sec-fetch-site': 'same-origin' },
  { origin: foreign, 'sec-fetch-site': 'same-origin' },
  { origin: foreign, 'content-type': 'text/plain' },
  { origin: foreign, 'content-type': 'application/x-www-form-urlencoded' },
  { origin: 'null', 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'text/plain' },
];

const unsafe = endpoints.filter(({ method }) => method !== 'GET');
const guarded = representatives(unsafe.filter(takesCookies));
const open = representatives(unsafe.filter(({ access, body }) => access.kind === 'public' && body));
const reads = representatives(
  endpoints.filter((contract) => contract.method === 'GET' && takesCookies(contract)),
);

/**
 * One world for writes that must change nothing, and one for reads, because writes may require that
 * something is missing.
 */
let world: World;
let readWorld: World;
let untouched: string;
/** A user without permissions in that world. */
let stranger: World;
/** A successful call for each endpoint. */
const prepared = new Map<Contract, CallInput>();

beforeAll(async () => {
  liftRateLimits();
  [world, readWorld, stranger] = await Promise.all([newWorld(), newWorld(), newWorld()]);
  for (const contract of [...guarded, ...open, ...reads]) {
    prepared.set(contract, await byCookie(contract, contract.method === 'GET' ? readWorld : world));
  }
  // Otherwise, the events of the preparation would be delivered during the tests.
  await drainWork();
  untouched = await snapshotOf(world);
});

async function byCookie(contract: Contract, of: World): Promise<CallInput> {
  const { token: _, ...rest } = await successfulCall(contract, of);
  const isPublic = contract.access.kind === 'public';

  return isPublic
    ? rest
    : { ...rest, cookies: [`__Host-auth_token=${callerOf(contract, of).token}`] };
}

describe('a request authenticated only by the cookie', () => {
  it.each(guarded)('is rejected from another site: $operationId', async (contract) => {
    for (const headers of foreignHeaders) {
      const answer = await probe(contract, { ...prepared.get(contract), headers });

      expect(answer.body, JSON.stringify(headers)).toEqual(
        errorBodyOf('CROSS_SITE_REQUEST', 'Cross-site request refused'),
      );
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it.each(guarded)('is allowed from our own pages: $operationId', async (contract) => {
    const call = await byCookie(contract, await newWorld());
    const answer = await probe(contract, { ...call, headers: { origin: own } });

    expect(answer.status).toBe(contract.status ?? 200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': own,
      'access-control-allow-credentials': 'true',
    });
  });

  it.each(guarded)(
    'is allowed because of its Referer if it has no Origin: $operationId',
    async (contract) => {
      const { userId } = stranger.people.OWNER;
      const { token } = await newSession(userId, stranger.organizationId);
      const answer = await probe(contract, {
        ...prepared.get(contract),
        cookies: [`__Host-auth_token=${token}`],
        headers: { referer: `${own}/page?query` },
      });

      expect(answer.status).not.toBe(401);
      expect(answer.body).not.toEqual(
        errorBodyOf('CROSS_SITE_REQUEST', 'Cross-site request refused'),
      );
    },
  );
});

describe('a form on another site', () => {
  const forms = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];

  it.each(open)('is rejected even without a session: $operationId', async (contract) => {
    const { body = {}, ...rest } = prepared.get(contract) ?? {};
    for (const type of forms) {
      const headers = { origin: foreign, 'content-type': type };
      const answer = await probe(contract, { ...rest, body: JSON.stringify(body), headers });

      expect(answer.status).toBe(415);
    }
  });
});

describe('a read', () => {
  it.each(reads)('cannot be read by pages of other sites: $operationId', async (contract) => {
    const headers = { origin: foreign };
    const answer = await probe(contract, { ...prepared.get(contract), headers });

    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('the rejected cross-site requests', () => {
  it('have changed nothing', async () => {
    expect(await snapshotOf(world)).toEqual(untouched);
  });
});
