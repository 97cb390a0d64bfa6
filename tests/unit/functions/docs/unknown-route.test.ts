import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/docs/unknown-route.ts';
import { callMcp } from '#schemas/mcp.ts';
import { errorBodyOf } from '#tests/support/error-body.ts';

const ownOrigin = 'https://app.example.com';

function call(
  method: string,
  headers: Readonly<Record<string, string>> = {},
  rawPath = '/no/such/path',
) {
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString: '',
    headers,
    requestContext: { http: { method, path: rawPath, sourceIp: '127.0.0.1' } },
    isBase64Encoded: false,
  };

  return handler(event as unknown as APIGatewayProxyEventV2, {} as Context);
}

beforeEach(() => {
  process.env.ALLOWED_ORIGINS = ownOrigin;
});

describe('the function for unknown routes', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'returns 404 in the error envelope: %s',
    async (method) => {
      const answer = await call(method);

      expect(answer.statusCode).toBe(404);
      expect(JSON.parse(answer.body ?? '')).toEqual(
        errorBodyOf('ROUTE_NOT_FOUND', 'Route not found', { requestId: expect.any(String) }),
      );
    },
  );

  it.each(['GET', 'DELETE', 'PUT', 'HEAD'])(
    'returns 405 for /mcp with another method, before it checks a token: %s',
    async (method) => {
      const answer = await call(method, {}, callMcp.path);

      expect(answer).toMatchObject({ statusCode: 405, headers: { allow: 'POST' } });
      expect(JSON.parse(answer.body ?? '')).toMatchObject({ message: 'Method not allowed' });
    },
  );

  it('returns the common headers and the request id of the caller', async () => {
    const answer = await call('GET', { 'x-request-id': 'of-the-caller' });

    expect(answer.headers).toMatchObject({
      'x-request-id': 'of-the-caller',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });
});

describe('CORS preflight', () => {
  const preflight = (origin: string) =>
    call('OPTIONS', { origin, 'access-control-request-method': 'POST' });

  it('allows any request with credentials from an allowed origin', async () => {
    const answer = await preflight(ownOrigin);

    expect(answer.headers).not.toHaveProperty('x-api-version');

    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ownOrigin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': expect.stringContaining('PATCH'),
      'access-control-allow-headers': expect.stringContaining('idempotency-key'),
    });
  });

  it.each([
    'https://app.example.com.evil.test',
    'https://evil-app.example.com',
    'http://app.example.com',
    'null',
  ])('allows nothing for other origins: %s', async (origin) => {
    const { headers = {} } = await preflight(origin);

    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
