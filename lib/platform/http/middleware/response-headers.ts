import { config } from '#lib/platform/config.ts';
import type { HttpEvent, HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import { version } from '#lib/platform/version.ts';
import type { Contract, Deprecation } from '#schemas/contract.ts';

const securityHeaders = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
} as const;

const exposedHeaders =
  'x-request-id, x-api-version, retry-after, ratelimit, ratelimit-policy, idempotent-replayed, deprecation, sunset, link, content-disposition';

/** CORS with credentials, for exactly the origins in ALLOWED_ORIGINS. */
export function corsHeaders(origin: string | undefined): Record<string, string> {
  if (!origin || !config.allowedOrigins.includes(origin)) {
    return { vary: 'origin' };
  }

  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposedHeaders,
  };
}

/** CORS preflights have no version: browsers do not show it to anybody. */
export function isPreflight({
  headers,
  requestContext,
}: Pick<HttpEvent, 'headers' | 'requestContext'>): boolean {
  return (
    requestContext.http.method === 'OPTIONS' &&
    headers['access-control-request-method'] !== undefined
  );
}

/** Adds the common headers. The response's own headers take precedence. */
export function responseHeaders(contract?: Contract): Middleware {
  const complete = ({ event, response }: HttpRequest): void => {
    if (!response) {
      return;
    }
    const { requestId, replyHeaders, replyCookies } = event.state;
    const own = Object.fromEntries(
      Object.entries(response.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    );
    response.headers = {
      ...securityHeaders,
      ...corsHeaders(event.headers.origin),
      'x-request-id': requestId,
      ...(!isPreflight(event) && { 'x-api-version': version }),
      ...(contract && deprecationHeaders(contract, event)),
      ...replyHeaders,
      ...own,
    };
    const cookies = [...(response.cookies ?? []), ...replyCookies];
    if (cookies.length > 0) {
      response.cookies = cookies;
    }
  };

  return { after: complete, onError: complete };
}

/**
 * Returns `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) for an operation that is deprecated, uses
 * a deprecated field, or returns one. If several are, the headers have the earliest dates.
 */
function deprecationHeaders(
  { deprecated, deprecatedFields = {}, response }: Contract,
  { queryStringParameters, body }: Pick<HttpEvent, 'queryStringParameters' | 'body'>,
): Readonly<Record<string, string>> {
  const fields = Object.entries(deprecatedFields).filter(([name]) =>
    [queryStringParameters, body, response?.shape].some(
      (given) => typeof given === 'object' && given !== null && Object.hasOwn(given, name),
    ),
  );
  const all = [...(deprecated ? [deprecated] : []), ...fields.map(([, field]) => field)];
  if (all.length === 0) {
    return {};
  }
  const earliestMs = (day: (one: Deprecation) => string) =>
    Math.min(...all.map((one) => Date.parse(day(one))));

  return {
    deprecation: `@${earliestMs(({ since }) => since) / 1_000}`,
    sunset: new Date(earliestMs(({ until }) => until)).toUTCString(),
  };
}
