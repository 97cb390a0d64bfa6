import { type ApiError, apiError, bodyInvalid } from '#lib/platform/errors/failures.ts';
import { parseJson } from '#lib/platform/parse-json.ts';
import type { HttpEvent, HttpRequest, Middleware } from './request.ts';

export const maxRequestBytes = 1024 * 1024;

export const malformedBody = 'Request body must be a valid JSON object';

type RawEvent = Pick<HttpEvent, 'body' | 'isBase64Encoded'>;

/** Returns the body's bytes exactly as sent. */
export function rawBody({ body, isBase64Encoded }: RawEvent): Buffer {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
}

/**
 * Returns the body's bytes exactly as sent.
 *
 * @throws 413 if the body exceeds the limit for all requests.
 */
export function boundedRawBody(event: RawEvent): Buffer {
  const raw = rawBody(event);
  if (raw.length > maxRequestBytes) {
    throw apiError('BODY_TOO_LARGE', 'Request body must not be larger than 1 MiB');
  }

  return raw;
}

/**
 * Returns the bytes of a webhook delivery, which contains a JSON object or XML.
 *
 * @throws 413 like `boundedRawBody`, 400 for any other JSON value.
 */
export function webhookBody(event: RawEvent): Buffer {
  const raw = boundedRawBody(event);
  const text = raw.toString('utf8').trimStart();
  if (!/^[{<]/.test(text) && parseJson(text) !== undefined) {
    throw bodyInvalid([malformedBody]);
  }

  return raw;
}

/** Converts the JSON parser's errors to errors of this API. `undefined` for any other error. */
export function bodyError(failure: unknown): ApiError | undefined {
  const { cause, statusCode } = (failure ?? {}) as {
    readonly cause?: { readonly package?: string };
    readonly statusCode?: number;
  };
  if (cause?.package !== '@middy/http-json-body-parser') {
    return undefined;
  }

  return statusCode === 415
    ? apiError('CONTENT_TYPE_UNSUPPORTED', 'Content-Type must be application/json')
    : bodyInvalid([malformedBody]);
}

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
