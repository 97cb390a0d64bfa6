import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Contract } from '#schemas/contract.ts';
import type { FixtureCall } from '../../fixtures/world.ts';

const host = 'api.example.com';
const sourceIp = '203.0.113.7';
const userAgent = 'bench';

/** Builds the gateway's event for a call (payload format 2.0). */
export function gatewayEvent(
  { method, path }: Pick<Contract, 'path'> & { readonly method: string },
  { params = {}, query, body, headers = {}, token }: FixtureCall = {},
): APIGatewayProxyEventV2 {
  const rawPath = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const routeKey = `${method} ${path}`;

  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: {
      host,
      'user-agent': userAgent,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(query ? { queryStringParameters: { ...query } } : {}),
    ...(Object.keys(params).length > 0 ? { pathParameters: { ...params } } : {}),
    requestContext: {
      accountId: '000000000000',
      apiId: 'bench',
      domainName: host,
      domainPrefix: 'api',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp, userAgent },
      requestId: 'bench',
      routeKey,
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
    ...(body ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    isBase64Encoded: false,
  };
}

/**
 * The parts of Lambda's context that handlers of this service use. The remaining time is enough for
 * any worker.
 */
export function lambdaContext(): Context {
  return { awsRequestId: 'bench', getRemainingTimeInMillis: () => 300_000 } as Context;
}
