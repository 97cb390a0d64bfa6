import { ApiError } from '#lib/platform/errors/api-error.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { malformedBody } from '#lib/platform/http/middleware/body-error.ts';
import { boundedRawBody } from '#lib/platform/http/raw-body.ts';
import { parseJson } from '#lib/platform/parse-json.ts';
import type { GivenForm } from './check-submission.ts';

type RawEvent = Parameters<typeof boundedRawBody>[0] & {
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** True for programs, which expect JSON. Everybody else gets pages. */
export function isJson({ headers }: RawEvent): boolean {
  return typeOf(headers) === 'application/json';
}

function typeOf(headers: RawEvent['headers']): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** @throws 400 for anything but a JSON object, 413, or 415 for other kinds of content. */
export function readSubmission(event: RawEvent): GivenForm {
  const text = boundedRawBody(event).toString('utf8');
  if (isJson(event)) {
    const body = parseJson(text);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw badRequest(malformedBody);
    }

    return withoutPrototype(Object.entries(body));
  }
  if (!['', 'application/x-www-form-urlencoded'].includes(typeOf(event.headers))) {
    throw new ApiError(
      'unsupportedMediaType',
      'Content-Type must be application/json or application/x-www-form-urlencoded',
    );
  }

  return withoutPrototype([...new URLSearchParams(text)].reverse());
}

/** The first value of a name counts. The names come from the caller. */
function withoutPrototype(entries: readonly (readonly [string, unknown])[]): GivenForm {
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}
