import { apiError, bodyInvalid } from '#lib/platform/errors/failures.ts';
import { parseJson } from '#lib/platform/parse-json.ts';
import { malformedBody } from './middleware/body-error.ts';
import type { HttpEvent } from './request.ts';

export const maxRequestBytes = 1024 * 1024;

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
