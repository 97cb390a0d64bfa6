import { describe, expect, it } from 'vitest';
import { ApiError, errorBody } from '#lib/platform/errors/api-error.ts';
import {
  badRequest,
  billingNotSetUp,
  forbidden,
  notFound,
  overloaded,
  paymentRequired,
  sessionInvalid,
  upstream,
  wrongCredentials,
} from '#lib/platform/errors/failures.ts';
import { type ErrorKind, errorKinds } from '#schemas/errors.ts';

describe('errorBody', () => {
  it.each(Object.keys(errorKinds) as ErrorKind[])('returns the status and reason of %s', (kind) => {
    const failure = new ApiError(kind, 'because');

    expect(errorBody(failure)).toEqual({
      success: false,
      statusCode: errorKinds[kind].statusCode,
      message: 'because',
      error: errorKinds[kind].error,
    });
  });

  it.each<[ApiError, object]>([
    [
      badRequest('a is required', 'b is required'),
      { statusCode: 400, message: ['a is required', 'b is required'] },
    ],
    [wrongCredentials(), { statusCode: 401, message: 'Invalid email or password' }],
    [
      sessionInvalid(),
      { statusCode: 401, message: 'Invalid or expired access token', code: 'SESSION_INVALID' },
    ],
    [
      paymentRequired('Your card was declined.'),
      { statusCode: 402, message: 'Your card was declined.' },
    ],
    [forbidden('Only owners'), { statusCode: 403, message: 'Only owners' }],
    [notFound('Lead'), { statusCode: 404, message: "Lead not found or you don't have access" }],
    [
      billingNotSetUp(),
      { statusCode: 404, suggestion: expect.stringContaining('POST /billing/setup') },
    ],
    [
      upstream('payment', undefined),
      { statusCode: 502, message: 'Payment service temporarily unavailable' },
    ],
    [overloaded(undefined), { statusCode: 503 }],
  ])('returns the documented body: %s', (failure, body) => {
    expect(errorBody(failure)).toMatchObject({ success: false, ...body });
  });

  it('does not include the cause', () => {
    const failure = upstream('payment', new Error('planted'));

    expect(JSON.stringify(errorBody(failure))).not.toContain('planted');
    expect(failure.cause).toBeInstanceOf(Error);
  });
});
