import { expect } from 'vitest';
import { type ErrorCode, errorCodes, errorKinds } from '#schemas/errors.ts';

/** Returns the whole body of an error, without the request id, which `call` checks and removes. */
export function errorBodyOf(code: ErrorCode, message: string | readonly string[], fields = {}) {
  const { statusCode, error } = errorKinds[errorCodes[code]];
  const issues = code === 'VALIDATION_FAILED' ? { issues: expect.any(Array) } : {};

  return {
    success: false,
    statusCode,
    code,
    message,
    error,
    ...issues,
    ...fields,
  };
}
