import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { handler as unknownRoute } from '#functions/docs/unknown-route.ts';
import { forgetChecks } from '#lib/features/health/services/check-services.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { getMe } from '#schemas/auth.ts';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { type RateLimitName, rateLimits } from '#schemas/rate-limits.ts';
import { limitsOf } from '#scripts/build/generate/openapi/facts.ts';
import { successfulCall } from '#scripts/fixtures/fixtures.ts';
import { type Answer, type CallInput, call, lambdaContext } from '#tests/support/api.ts';
import { errorBodyOf } from '#tests/support/error-body.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { expectCommonHeaders, expectNoSecrets, probe } from '#tests/support/registry/probe.ts';
import { representatives } from '#tests/support/registry/representatives.ts';
import { newWorld } from '#tests/support/registry/world.ts';

liftRateLimits();
const world = await newWorld();

/** Returns the first call that fails for this endpoint, or an empty one if it accepts no input. */
function failingCall({ access, body, params }: Contract): CallInput {
  if (access.kind !== 'public' || body) {
    return { body: '[]' };
  }
  const names = Object.keys(params?.shape ?? {});

  return { params: Object.fromEntries(names.map((name) => [name, 'x'.repeat(10_000)])) };
}

const shapes = representatives(endpoints);
const failing = shapes.filter(
  ({ access, body, params }) => access.kind !== 'public' || body || params,
);
const limited = representatives(
  endpoints.filter((contract) => limitsOf(contract).length > 0),
  limitsOf,
);

const requestIds = ['of-the.caller_1', 'A', 'z'.repeat(64)];
const badRequestIds = ['', 'z'.repeat(65), 'two words', 'new\r\nline', 'é', '<script>', '{}'];

describe('responses', () => {
  it.each(failing)('have the common headers on errors: $operationId', async (contract) => {
    const answer = await probe(contract, failingCall(contract));

    expect(answer.status).toBeGreaterThanOrEqual(400);
    expectCommonHeaders(contract, answer);
    expectNoSecrets(contract, answer);
  });

  it('have the common headers on server errors, and do not reveal the reason', async () => {
    const { token } = world.people.OWNER;
    const calls = await Promise.all(
      endpoints.map(async (contract) => {
        const call = contract.access.kind === 'public' ? await successfulCall(contract, world) : {};

        return { contract, call: { token, ...call } };
      }),
    );
    const reason = 'ReasonThatNobodyIsTold';
    vi.spyOn(documentClient, 'send').mockRejectedValue(new Error(reason));
    const failed: string[] = [];
    for (const { contract, call: options } of calls) {
      const answer = await call(contract, options);
      expectCommonHeaders(contract, answer);
      expectNoSecrets(contract, answer);
      expect(JSON.stringify(answer)).not.toContain(reason);
      if (answer.status >= 500) {
        failed.push(contract.operationId);
      }
    }
    vi.restoreAllMocks();
    forgetChecks();

    const signedIn = endpoints.filter(({ access }) => access.kind !== 'public');
    expect(failed).toEqual(expect.arrayContaining(signedIn.map(({ operationId }) => operationId)));
  });

  it.each(shapes)("return the caller's request id: $operationId", async (contract) => {
    const [id = ''] = requestIds;
    const answer = await probe(contract, {
      ...failingCall(contract),
      headers: { 'x-request-id': id },
    });

    expect(answer.headers['x-request-id']).toBe(id);
  });

  it.each(requestIds)('return a valid request id: %s', async (id) => {
    const answer = await probe(getMe, { headers: { 'x-request-id': id } });

    expect(answer.headers['x-request-id']).toBe(id);
  });

  it.each(badRequestIds)('replace an invalid request id: %j', async (id) => {
    const answer = await probe(getMe, { headers: { 'x-request-id': id } });

    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(limited)('report the rate limits: $operationId', async (contract) => {
    const place = contract.method === 'GET' ? world : await newWorld();
    const answer = await probe(contract, await successfulCall(contract, place));
    const policies = answer.headers['ratelimit-policy'] ?? '';

    for (const name of limitsOf(contract).filter((one) => !isOccasional(contract, one))) {
      expect(policies).toContain(`"${name}";q=`);
      expect(answer.headers.ratelimit).toContain(`"${name}";r=`);
    }
  });
});

/** Applies only to browsers that have signed in before, or to requests that create a user. */
function isOccasional({ countedInHandler }: Contract, limit: RateLimitName): boolean {
  return (
    rateLimits[limit].per === 'device' ||
    (limit === 'signup' && countedInHandler?.includes(limit) === true)
  );
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'BREW'];
const paths = ['/', '/auth', '/no/such/path', '/auth/me/', '/AUTH/ME', '/auth//me', '/%00', '/..'];

async function callUnknown(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers,
    requestContext: { http: { method, path, sourceIp: '127.0.0.1' } },
    body: '{',
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2;
  const { statusCode, headers: sent, body } = await unknownRoute(event, lambdaContext());

  return {
    status: statusCode,
    headers: (sent ?? {}) as Record<string, string>,
    body: JSON.parse(body ?? ''),
    cookies: [],
  };
}

describe('an unknown route', () => {
  it.each(methods)(
    'returns 404 in the standard format, with or without a token: %s',
    async (method) => {
      const [{ envelope: _, ...form }] = endpoints as readonly [Contract];
      for (const path of paths) {
        for (const headers of [
          {},
          { authorization: `Bearer ${world.people.OWNER.token}` },
          { authorization: 'Bearer garbage', 'content-type': 'text/plain' },
        ]) {
          const answer = await callUnknown(method, path, headers);

          expect(answer.body).toEqual(
            errorBodyOf('ROUTE_NOT_FOUND', 'Route not found', { requestId: expect.any(String) }),
          );
          expect(answer.status).toBe(404);
          expectCommonHeaders(form, answer);
        }
      }
    },
  );
});
