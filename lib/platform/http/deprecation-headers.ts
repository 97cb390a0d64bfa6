import type { HttpEvent } from '#lib/platform/http/request.ts';
import type { Contract, Deprecation } from '#schemas/contract.ts';

/**
 * Returns `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) for an operation that is deprecated, uses
 * a deprecated field, or returns one. If several are, the headers have the earliest dates.
 */
export function deprecationHeaders(
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
