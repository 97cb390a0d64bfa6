import type { Header, Response } from './document.ts';

/** The response headers that only some responses have. The introduction describes the others. */
export const responseHeaders = {
  'X-Request-Id': {
    description:
      'Identifies this request in our logs. An `X-Request-Id` that you send is kept if it has at most 64 characters of `A-Za-z0-9._-`.',
    schema: { type: 'string', examples: ['0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f'] },
  },
  'RateLimit-Policy': {
    description: 'The rate limits of this operation: `q` requests per `w` seconds.',
    schema: { type: 'string', examples: ['"signup";q=20;w=3600'] },
  },
  RateLimit: {
    description: 'The remaining quota of each rate limit: `r` requests for the next `t` seconds.',
    schema: { type: 'string', examples: ['"signup";r=19;t=3600'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 0, examples: [30] },
  },
  ETag: {
    description: 'Identifies this version of the content.',
    schema: { type: 'string', examples: ['W/"1f0c3c1e6d0b4f0e"'] },
  },
  'Cache-Control': {
    description: 'How long the response may be cached.',
    schema: { type: 'string', examples: ['no-cache'] },
  },
  'Set-Cookie': {
    description: 'The auth token as the cookie `__Host-auth_token`.',
    schema: {
      type: 'string',
      examples: [
        '__Host-auth_token=eyJ…; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=None; Partitioned',
      ],
    },
  },
} as const satisfies Record<string, Header>;

export type ResponseHeader = keyof typeof responseHeaders;

/** Returns the `headers` of a response: references to the given headers, in the given order. */
export function headersOf(names: readonly ResponseHeader[]): Pick<Response, 'headers'> {
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);

  return names.length > 0 ? { headers: Object.fromEntries(references) } : {};
}
