import { boundedRawBody } from '#lib/platform/http/raw-body.ts';
import type { HttpRequest, Middleware } from '#lib/platform/http/request.ts';

/**
 * Prepares the event for `@middy/http-json-body-parser`, and keeps the raw bytes for the idempotency
 * record. A missing body counts as an empty object.
 */
export function prepareBody(): Middleware {
  return {
    before: ({ event }: HttpRequest): void => {
      const raw = boundedRawBody(event);
      event.state.rawBody = raw;
      if (raw.length === 0) {
        Object.assign(event, { body: '{}', isBase64Encoded: false });
      }
      event.headers = {
        ...event.headers,
        'content-type': raw.length === 0 ? 'application/json' : contentTypeOf(event.headers),
      };
    },
  };
}

/**
 * The parser rejects whitespace before the parameters of a content type, which is valid:
 * https://www.rfc-editor.org/rfc/rfc9110#section-5.6.6
 */
function contentTypeOf(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  return headers['content-type']?.replace(/[\t ]+;/, ';');
}
