import { describe, expect, it } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { isIdempotent } from '#scripts/build/generate/openapi/facts.ts';
import { callerOf, successfulCall } from '#scripts/fixtures/fixtures.ts';
import { newSession, type World } from '#scripts/fixtures/world.ts';
import type { Answer, CallInput } from '#tests/support/api.ts';
import { errorBodyOf } from '#tests/support/error-body.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { representatives } from '#tests/support/registry/representatives.ts';
import { snapshotOf } from '#tests/support/registry/snapshot.ts';
import { newWorld } from '#tests/support/registry/world.ts';

/** For calls that are rejected before they take effect. */

liftRateLimits();
const untouched = await newWorld();

const repeatable = endpoints.filter(isIdempotent);
const shapes = representatives(repeatable);
const others = representatives(
  endpoints.filter((contract) => !isIdempotent(contract) && contract.method !== 'GET'),
);

/** Uses another session of the same caller, because the first call may have ended its session. */
async function again(contract: Contract, world: World, call: CallInput): Promise<CallInput> {
  if (['public', 'operator'].includes(contract.access.kind)) {
    return call;
  }
  const { userId } = callerOf(contract, world);

  return { ...call, ...(await newSession(userId, world.organizationId)) };
}

function essence({ status, body, cookies }: Answer) {
  return { status, body, cookies };
}

const ip = '2001:db8::3';

const reused = errorBodyOf(
  'IDEMPOTENCY_KEY_REUSED',
  'Idempotency-Key was already used with another request body',
);
const notAField = errorBodyOf('VALIDATION_FAILED', ['another is not a field of this request.']);

describe('an Idempotency-Key', () => {
  it.each(shapes)('must have 1 to 255 characters: $operationId', async (contract) => {
    const call = await successfulCall(contract, untouched);
    for (const key of ['', 'x'.repeat(256), 'x'.repeat(10_000)]) {
      const answer = await probe(contract, { ...call, headers: { 'idempotency-key': key } });

      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual(['Idempotency-Key must be between 1 and 255 characters']);
    }
  });

  it.each(repeatable)(
    'replays the response for the same body and rejects a different one: $operationId',
    async (contract) => {
      const world = await newWorld();
      const headers = { 'idempotency-key': 'k'.repeat(255) };
      const call = { ...(await successfulCall(contract, world)), headers, ip };
      const first = await probe(contract, call);
      const repetition = await again(contract, world, call);
      const before = await snapshotOf(world);
      const second = await probe(contract, repetition);
      const body = { ...(call.body as object), another: true };
      const withAnotherBody = await probe(contract, { ...repetition, body });

      expect(first.status).toBe(contract.status ?? 200);
      expect(first.headers).not.toHaveProperty('idempotent-replayed');
      expect(essence(second)).toEqual(essence(first));
      expect(second.headers['idempotent-replayed']).toBe('true');
      expect(withAnotherBody.body).toMatchObject(contract.strict ? notAField : reused);
      expect(await snapshotOf(world)).toBe(before);
    },
  );

  it.each(shapes.filter(({ access }) => !['public', 'operator'].includes(access.kind)))(
    'is scoped to the caller: $operationId',
    async (contract) => {
      const headers = { 'idempotency-key': 'k'.repeat(255) };
      const call = await successfulCall(contract, await newWorld());
      const answer = await probe(contract, { ...call, headers, ip });

      expect(answer.status).toBe(contract.status ?? 200);
      expect(answer.headers).not.toHaveProperty('idempotent-replayed');
    },
  );

  it.each(others)('has no effect: $operationId', async (contract) => {
    const call = await successfulCall(contract, await newWorld());
    const headers = { ...call.headers, 'idempotency-key': '' };
    const answer = await probe(contract, { ...call, headers });

    expect(answer.status).toBe(contract.status ?? 200);
    expect(answer.headers).not.toHaveProperty('idempotent-replayed');
  });
});
