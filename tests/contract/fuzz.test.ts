import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { receivePaymentEvent } from '#schemas/billing.ts';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { receiveAccountEvents, receiveNetworkEvents } from '#schemas/social-webhooks.ts';
import { paramsOf, successfulCall } from '#scripts/fixtures/fixtures.ts';
import { operatorKey } from '#scripts/fixtures/operator-fixtures.ts';
import { newSession } from '#scripts/fixtures/world.ts';
import { depth } from '#tests/support/depth.ts';
import {
  anyText,
  bodiesFor,
  nonObjectBodies,
  nonObjects,
  seedOf,
} from '#tests/support/registry/fuzz.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { representatives } from '#tests/support/registry/representatives.ts';
import { newWorld } from '#tests/support/registry/world.ts';

type BodyContract = Contract & { readonly body: NonNullable<Contract['body']> };

const writes = endpoints.filter((contract): contract is BodyContract => Boolean(contract.body));
const bodiesEach = depth(Math.ceil(520 / writes.length), Math.ceil(10_400 / writes.length));
const nonObjectsEach = depth(2, 40);
const strangeCallsEach = depth(Math.ceil(338 / endpoints.length), 40);
let sent = 0;

/** For reads, and for requests that are rejected before they take effect. */

liftRateLimits();
const shared = await newWorld();

afterAll(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
});

type Caller = { readonly userId: string; readonly organizationId: string; token: string };
type Sent = { readonly params: object; readonly body: string };

/** Sends a fuzzed body. It may be valid and end its session, so it retries with a new one. */
async function send(contract: BodyContract, caller: Caller, { params, body }: Sent) {
  const isPublic = contract.access.kind === 'public';
  const isOperator = contract.access.kind === 'operator';
  const probeWith = (token: string) =>
    probe(contract, { params: { ...params }, body, ...(isPublic ? {} : { token }) });
  sent += 1;
  const answer = await probeWith(isOperator ? operatorKey : caller.token);
  if (answer.status !== 401 || isPublic) {
    return answer;
  }
  caller.token = (await newSession(caller.userId, caller.organizationId)).token;

  return probeWith(caller.token);
}

describe('no body causes a server error', () => {
  it.each(writes)('$operationId', async (contract) => {
    const world = await newWorld();
    const params = await paramsOf(contract, world);
    const { organizationId, people } = world;
    const caller = { ...people.OWNER, organizationId };
    const property = fc.asyncProperty(bodiesFor(contract.body), async (body) => {
      const answer = await send(contract, caller, { params, body });
      const isRefusal = answer.status >= 400;

      const says = isRefusal || (contract.envelope ?? 'success') === 'success';

      expect(answer.body.success).toBe(says ? !isRefusal : undefined);
      expect('polluted' in {}).toBe(false);
    });

    await fc.assert(property, { numRuns: bodiesEach, seed: seedOf(contract.operationId) });
  });
});

describe('a body that is not a JSON object returns 400 with one message', () => {
  it.each(representatives(writes))('$operationId', async (contract) => {
    const { organizationId, people } = shared;
    const caller = { ...people.OWNER, organizationId };
    const params = await paramsOf(contract, shared);
    const property = fc.asyncProperty(nonObjectBodies, async (body) => {
      const answer = await send(contract, caller, { params, body });

      expect([answer.status, answer.body.message]).toEqual([
        400,
        ['Request body must be a valid JSON object'],
      ]);
    });

    await fc.assert(property, {
      examples: nonObjects.map((body) => [body]),
      numRuns: nonObjects.length + nonObjectsEach,
      seed: seedOf(contract.operationId),
    });
  });
});

describe('a webhook delivery that is JSON but not an object returns 400 with one message', () => {
  it.each([receiveNetworkEvents, receiveAccountEvents, receivePaymentEvent])(
    '$operationId',
    async (contract) => {
      const { params } = await successfulCall(contract, shared);
      const property = fc.asyncProperty(nonObjectBodies, async (body) => {
        const { status, body: answered } = await probe(contract, { params: { ...params }, body });

        expect([status, answered.message]).toEqual([
          400,
          ['Request body must be a valid JSON object'],
        ]);
      });

      await fc.assert(property, {
        examples: nonObjects.map((body) => [body]),
        numRuns: nonObjects.length + nonObjectsEach,
        seed: seedOf(contract.operationId),
      });
    },
  );
});

const texts = fc.oneof(
  anyText(100),
  fc.constantFrom('', '\u0000', '%', '%00', '..', "'", '\r\n', '__proto__', 'x'.repeat(5_000)),
);
const headerNames = [
  'authorization',
  'origin',
  'referer',
  'x-organization-id',
  'idempotency-key',
  'x-request-id',
  'x-forwarded-for',
  'content-type',
  'user-agent',
  'sec-fetch-dest',
] as const;

describe('no header, parameter or query causes a server error', () => {
  it.each(endpoints)('$operationId', async (contract) => {
    const isHarmless = contract.method === 'GET' || contract.body !== undefined;
    const call = await successfulCall(contract, isHarmless ? shared : await newWorld());
    const names = Object.keys(contract.params?.shape ?? {});
    const queries = Object.keys(contract.query?.shape ?? { unknown: true });
    const property = fc.asyncProperty(
      fc.dictionary(fc.constantFrom(...headerNames), texts, { maxKeys: 4 }),
      fc.dictionary(fc.constantFrom(...names, 'other'), texts, { maxKeys: 2 }),
      fc.dictionary(fc.constantFrom(...queries), texts, { maxKeys: 3 }),
      async (headers, params, query) => {
        await probe(contract, {
          ...call,
          body: contract.body ? '[]' : undefined,
          headers,
          params: { ...call.params, ...params },
          query,
        });
      },
    );

    await fc.assert(property, { numRuns: strangeCallsEach, seed: seedOf(contract.operationId) });
  });
});

// In a test, so that `-t <operationId>` skips it.
it('the fuzz tests send at least 500 random bodies in total', () => {
  expect(sent).toBeGreaterThanOrEqual(depth(500, 10_000));
});
