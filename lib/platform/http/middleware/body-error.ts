import type { ApiError } from '#lib/platform/errors/api-error.ts';
import { apiError, bodyInvalid } from '#lib/platform/errors/failures.ts';

export const malformedBody = 'Request body must be a valid JSON object';

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
