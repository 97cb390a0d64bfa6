import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { errorEnvelope } from '#lib/platform/http/middleware/error-envelope.ts';
import { requestLog } from '#lib/platform/http/middleware/request-log.ts';
import { corsHeaders, responseHeaders } from '#lib/platform/http/middleware/response-headers.ts';
import type { HttpAnswer, HttpEvent, Middleware } from '#lib/platform/http/request.ts';

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, x-organization-id, x-request-id',
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
 * What the gateway calls for a request that no route matches: a CORS preflight is answered for every
 * path alike, as it says nothing of what is there; all else is not found, with a token or without.
 */
export const handler = stack.handler(async (event) => {
  if (isPreflight(event)) {
    return { statusCode: 204, headers: allowedToOrigin(event.headers.origin) };
  }

  throw new ApiError('notFound', 'Route not found');
}) as unknown as (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpAnswer>;

function isPreflight({ headers, requestContext }: APIGatewayProxyEventV2): boolean {
  return (
    requestContext.http.method === 'OPTIONS' &&
    headers['access-control-request-method'] !== undefined
  );
}

/** Another origin learns nothing, and its browser refuses the request that was to follow. */
function allowedToOrigin(origin: string | undefined): Record<string, string> {
  return 'access-control-allow-origin' in corsHeaders(origin) ? preflightHeaders : {};
}
