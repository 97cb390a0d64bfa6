import { isUtf8 } from 'node:buffer';
import { apiError, bodyInvalid } from '#lib/platform/errors/failures.ts';
import { boundedRawBody, malformedBody } from '#lib/platform/http/raw-body.ts';
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

/** @throws 400 for anything but a JSON object, 413, or 415 for other content types. */
export function readSubmission(event: RawEvent): GivenForm {
  const raw = boundedRawBody(event);
  if (isJson(event)) {
    const body = parseJson(raw.toString('utf8'));
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw bodyInvalid([malformedBody]);
    }

    return withoutPrototype(Object.entries(body));
  }
  if (!['', 'application/x-www-form-urlencoded'].includes(typeOf(event.headers))) {
    throw apiError(
      'CONTENT_TYPE_UNSUPPORTED',
      'Content-Type must be application/json or application/x-www-form-urlencoded',
    );
  }

  return withoutPrototype([...new URLSearchParams(withCharacters(raw))].reverse());
}

/**
 * Decodes form data that is not ASCII. An old page that embeds the form sends it in the page's own
 * encoding: browsers use windows-1252 for Latin-1.
 */
function withCharacters(raw: Buffer): string {
  const unescaped = raw
    .toString('latin1')
    .replaceAll(/%([89a-f][\da-f])/gi, (_, byte: string) =>
      String.fromCharCode(Number.parseInt(byte, 16)),
    );
  const bytes = Buffer.from(unescaped, 'latin1');

  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
}

/**
 * If a name is repeated, the first value counts. There is no prototype, because the names come from
 * the caller.
 */
function withoutPrototype(entries: readonly (readonly [string, unknown])[]): GivenForm {
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}
