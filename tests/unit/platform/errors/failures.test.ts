import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type ApiError,
  apiError,
  badRequest,
  billingNotSetUp,
  forbidden,
  notFound,
  overloaded,
  paymentRequired,
  sessionInvalid,
  signatureInvalid,
  upstream,
  withFields,
  wrongCredentials,
  wrongState,
} from '#lib/platform/errors/failures.ts';
import { errorBody } from '#lib/platform/http/middleware/error-envelope.ts';
import { type ErrorCode, errorCodes, errorKinds } from '#schemas/errors.ts';
import { projectPath } from '#scripts/project.ts';

const codes = Object.keys(errorCodes) as ErrorCode[];

describe('errorBody', () => {
  it.each(codes)('returns the status and reason of %s', (code) => {
    const { statusCode, error } = errorKinds[errorCodes[code]];

    expect(errorBody(apiError(code, 'because'))).toMatchObject({
      success: false,
      statusCode,
      code,
      message: 'because',
      error,
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
    [signatureInvalid(), { statusCode: 401, code: 'SIGNATURE_INVALID' }],
    [signatureInvalid('no', 'badRequest'), { statusCode: 400, code: 'SIGNATURE_INVALID' }],
    [
      paymentRequired('Your card was declined.', {}),
      { statusCode: 402, message: 'Your card was declined.', code: 'CARD_DECLINED' },
    ],
    [
      paymentRequired('Confirm it.', { needsAction: true }),
      { statusCode: 402, code: 'PAYMENT_ACTION_REQUIRED' },
    ],
    [forbidden('Only owners'), { statusCode: 403, message: 'Only owners' }],
    [
      notFound('Lead'),
      {
        statusCode: 404,
        message: "Lead not found or you don't have access",
        code: 'LEAD_NOT_FOUND',
      },
    ],
    [notFound('Key'), { code: 'API_KEY_NOT_FOUND' }],
    [notFound('A/B test'), { code: 'A_B_TEST_NOT_FOUND' }],
    [
      billingNotSetUp(),
      { statusCode: 404, suggestion: expect.stringContaining('POST /billing/setup') },
    ],
    [
      withFields(wrongState('It is paused', 'paused'), { more: 1 }),
      { statusCode: 409, code: 'WRONG_STATE', state: 'paused', more: 1 },
    ],
    [
      upstream('payment', undefined),
      { statusCode: 502, message: 'Payment service temporarily unavailable' },
    ],
    [overloaded(undefined), { statusCode: 503, code: 'OVERLOADED' }],
  ])('returns the documented body: %s', (failure, body) => {
    expect(errorBody(failure)).toMatchObject({ success: false, ...body });
  });

  it('does not include the cause', () => {
    const failure = upstream('payment', new Error('planted'));

    expect(JSON.stringify(errorBody(failure))).not.toContain('planted');
    expect(failure.cause).toBeInstanceOf(Error);
  });
});

describe('the catalog of error codes', () => {
  const sources = globSync('{lib,functions}/**/*.ts', { cwd: projectPath('.') }).map((path) => ({
    path,
    text: readFileSync(projectPath(path), 'utf8'),
  }));

  it('is written in upper case with underscores', () => {
    expect(codes.filter((code) => !/^[A-Z]+(_[A-Z]+)*$/.test(code))).toEqual([]);
  });

  it('is only used by failures.ts, so that every error has a code', () => {
    const makers = sources.filter(({ text }) => text.includes('new ApiError('));

    expect(makers.map(({ path }) => path)).toEqual(['lib/platform/errors/failures.ts']);
  });
});
