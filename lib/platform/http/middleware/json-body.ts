import httpJsonBodyParser from '@middy/http-json-body-parser';
import { boundedRawBody } from '#lib/platform/http/raw-body.ts';
import type { HttpRequest, Middleware } from '#lib/platform/http/request.ts';

const parser = httpJsonBodyParser() as unknown as Required<Pick<Middleware, 'before'>>;

/**
 * Replaces the body by the object that it describes. A missing body counts as an empty object.
 * Keeps the raw bytes for the idempotency record.
 */
export function jsonBody(): Middleware {
  return {
    before: (request: HttpRequest) => {
      const { event } = request;
      event.state.rawBody = boundedRawBody(event);
      if (event.state.rawBody.length === 0) {
        Object.assign(event, { body: {} });

        return;
      }
      // The parser rejects whitespace before the parameters of a content type, which is valid:
      // https://www.rfc-editor.org/rfc/rfc9110#section-5.6.6
      const type = event.headers['content-type']?.replace(/[\t ]+;/, ';');
      event.headers = { ...event.headers, 'content-type': type };

      return parser.before(request);
    },
  };
}
