import { insufficientPermissions, peopleOnlyMessage } from '#schemas/contract.ts';
import {
  type ErrorCode,
  type ErrorKind,
  errorCodes,
  errorKinds,
  type Issue,
  notFoundCodes,
  type Resource,
} from '#schemas/errors.ts';

export type ErrorExtras = {
  /** Additional fields of the error body. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The underlying failure. It is logged, never returned. */
  readonly cause?: unknown;
};

/**
 * An error that is returned to the caller. Its message is public. Created only by the functions
 * below.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly publicMessage: string | readonly string[];
  /** The problems of the input, if the code that found them knows more than the message says. */
  readonly issues: readonly Issue[] | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string | readonly string[],
    extras: ErrorExtras & {
      readonly kind?: ErrorKind | undefined;
      readonly issues?: readonly Issue[];
    } = {},
  ) {
    super(typeof message === 'string' ? message : message.join('; '), { cause: extras.cause });
    this.name = 'ApiError';
    this.code = code;
    this.kind = extras.kind ?? errorCodes[code];
    this.publicMessage = message;
    this.issues = extras.issues;
    this.fields = extras.fields ?? {};
    this.headers = extras.headers ?? {};
  }

  get statusCode(): number {
    return errorKinds[this.kind].statusCode;
  }
}

/** Returns an error by its code. */
export function apiError(code: ErrorCode, message: string, extras?: ErrorExtras): ApiError {
  return new ApiError(code, message, extras);
}

/** The same error with more fields. */
export function withFields(error: ApiError, fields: ErrorExtras['fields']): ApiError {
  const { code, kind, publicMessage, headers, cause, issues } = error;

  return new ApiError(code, publicMessage, {
    kind,
    headers,
    cause,
    fields: { ...error.fields, ...fields },
    ...(issues && { issues }),
  });
}

/** 400 with one message per invalid field, each starting with the path of its field. */
export function badRequest(...messages: readonly string[]): ApiError {
  return new ApiError('VALIDATION_FAILED', messages);
}

/** @throws 400 with the problems, if there are any. */
export function rejectProblems(problems: readonly string[]): void {
  if (problems.length > 0) {
    throw badRequest(...problems);
  }
}

/** @throws 400 with the issues, if there are any. */
export function rejectIssues(issues: readonly Issue[]): void {
  if (issues.length > 0) {
    const messages = issues.map(({ message }) => message);
    throw new ApiError('VALIDATION_FAILED', messages, { issues });
  }
}

/** 400 for a body that the endpoint cannot parse. */
export function bodyInvalid(message: string | readonly string[], cause?: unknown): ApiError {
  return new ApiError('BODY_INVALID', message, { cause });
}

/** 401 for a request without credentials. */
export function authenticationRequired(): ApiError {
  return new ApiError('AUTHENTICATION_REQUIRED', 'Authentication required');
}

/** 401 for a caller without a valid session. */
export function sessionInvalid(cause?: unknown): ApiError {
  return new ApiError('SESSION_INVALID', 'Invalid or expired access token', { cause });
}

/** 401 for a wrong email address or password, without saying which. */
export function wrongCredentials(): ApiError {
  return new ApiError('CREDENTIALS_INVALID', 'Invalid email or password');
}

/** 401 for a signed-in user who gives a wrong password. */
export function wrongPassword(): ApiError {
  return new ApiError('CREDENTIALS_INVALID', 'Current password is incorrect');
}

/** 401 for an invalid Google ID token, without the reason. */
export function googleTokenInvalid(cause?: unknown): ApiError {
  return new ApiError('GOOGLE_TOKEN_INVALID', 'Invalid or expired Google token', { cause });
}

/** 401 if the network no longer accepts the account's token. */
export function platformTokenInvalid(cause?: unknown): ApiError {
  return new ApiError('PLATFORM_TOKEN_INVALID', 'Invalid or expired access token', { cause });
}

/** 401 for a webhook delivery whose signature is wrong. The payment provider expects a 400. */
export function signatureInvalid(
  message = 'Invalid signature',
  kind?: 'unauthorized' | 'badRequest',
): ApiError {
  return new ApiError('SIGNATURE_INVALID', message, { kind });
}

/** 403 for a role that may not do this. */
export function forbidden(message: string = insufficientPermissions): ApiError {
  return new ApiError('ROLE_INSUFFICIENT', message);
}

/** 403 for all operations of a suspended organization. */
export function organizationSuspended(): ApiError {
  return new ApiError('ORGANIZATION_SUSPENDED', 'This organization is suspended');
}

/** 403 for an API key, if the operation requires a person. */
export function personRequired(): ApiError {
  return new ApiError('PERSON_REQUIRED', peopleOnlyMessage);
}

/** 404. Identical for missing resources and other tenants' resources. */
export function notFound(resource: Resource): ApiError {
  return new ApiError(notFoundCodes[resource], `${resource} not found or you don't have access`);
}

/** Returns the value. @throws 404 if it is undefined. */
export function requireFound<Value>(value: Value | undefined, resource: Resource): Value {
  if (value === undefined) {
    throw notFound(resource);
  }

  return value;
}

/**
 * 409 if the state of the resource does not allow the operation. `state` is the value in its GET
 * response.
 */
export function wrongState(message: string, state: string): ApiError {
  return new ApiError('WRONG_STATE', message, { fields: { state } });
}

/** 409 if a concurrent request changes the same resource. */
export function overtaken(message: string): ApiError {
  return new ApiError('OVERTAKEN', message);
}

/** 402 if a card was declined, or its holder has to confirm the payment. Nothing was changed. */
export function paymentRequired(
  message: string,
  declined: { readonly needsAction?: boolean | undefined },
): ApiError {
  const code = declined.needsAction ? 'PAYMENT_ACTION_REQUIRED' : 'CARD_DECLINED';

  return new ApiError(code, message, { cause: declined });
}

const outages = {
  payment: ['PAYMENT_SERVICE_UNAVAILABLE', 'Payment service temporarily unavailable'],
  ai: ['AI_SERVICE_UNAVAILABLE', 'AI service temporarily unavailable'],
  social: ['SOCIAL_PLATFORM_UNAVAILABLE', 'Social platform temporarily unavailable'],
  google: ['GOOGLE_UNAVAILABLE', 'Google sign-in temporarily unavailable'],
} as const;

/** 502 if a vendor is unavailable, slow, or returns an invalid response. */
export function upstream(vendor: keyof typeof outages, cause: unknown): ApiError {
  const [code, message] = outages[vendor];

  return new ApiError(code, message, { cause });
}

/**
 * 503 if DynamoDB throttles or is unreachable, or if other requests keep changing the same item.
 */
export function overloaded(cause: unknown): ApiError {
  return new ApiError('OVERLOADED', 'The service is busy. Try again', {
    cause,
    headers: { 'retry-after': '1' },
  });
}

/** 404 of all billing endpoints until the organization has a customer at the payment provider. */
export function billingNotSetUp(): ApiError {
  return new ApiError('BILLING_NOT_SET_UP', 'Billing setup must be completed first', {
    fields: { suggestion: 'Call POST /billing/setup to set up billing for this organization' },
  });
}
