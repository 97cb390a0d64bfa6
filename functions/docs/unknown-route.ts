import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { apiError } from '#lib/platform/errors/failures.ts';
import { errorEnvelope } from '#lib/platform/http/middleware/error-envelope.ts';
import { requestLog } from '#lib/platform/http/middleware/request-log.ts';
import {
  corsHeaders,
  isPreflight,
  responseHeaders,
} from '#lib/platform/http/middleware/response-headers.ts';
import type { HttpAnswer, HttpEvent, Middleware } from '#lib/platform/http/request.ts';

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, mcp-method, mcp-name, mcp-protocol-version, prefer, x-organization-id, x-request-id',
  'access-control-max-age': '7200',
} as const;

const middlewares: readonly Middleware[] = [
  requestLog({ operationId: 'unknownRoute', method: 'ANY', path: '$default' }),
  responseHeaders(),
  httpErrorHandler({ logger: false }) as unknown as Middleware,
  errorEnvelope(),
];

const stack = middy<HttpEvent, HttpAnswer, unknown, Context>();
for (const middleware of middlewares) {
  stack.use(middleware as Parameters<typeof stack.use>[0]);
}

/**
 * Handles requests that match no route. CORS preflights get the same response for every path, so
 * they do not reveal which paths exist. All other requests get a 404, with or without a token. MCP
 * clients expect a 405 for GET and DELETE, because this server has no streams and no sessions.
 */
export const handler = stack.handler(async (event) => {
  if (isPreflight(event)) {
    return { statusCode: 204, headers: allowedToOrigin(event.headers.origin) };
  }

  if (event.rawPath === '/mcp') {
    throw apiError('METHOD_NOT_ALLOWED', 'Method not allowed', { headers: { allow: 'POST' } });
  }

  throw apiError('ROUTE_NOT_FOUND', 'Route not found');
}) as unknown as (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpAnswer>;

/** Returns no headers for other origins, so browsers block the actual request. */
function allowedToOrigin(origin: string | undefined): Record<string, string> {
  return 'access-control-allow-origin' in corsHeaders(origin) ? preflightHeaders : {};
}
