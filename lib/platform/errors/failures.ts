import { ApiError, type ErrorExtras } from './api-error.ts';

/** 400 with one message per invalid field. */
export function badRequest(...messages: readonly string[]): ApiError {
  return new ApiError('badRequest', messages);
}

/** 400 for a rule that does not concern a single field. */
export function notAllowed(message: string, extras?: ErrorExtras): ApiError {
  return new ApiError('badRequest', message, extras);
}

/** 401 for a caller without a valid session. */
export function sessionInvalid(message = 'Invalid or expired access token'): ApiError {
  return new ApiError('unauthorized', message, { fields: { code: 'SESSION_INVALID' } });
}

/** 401 for a wrong email address or password, without saying which. */
export function wrongCredentials(): ApiError {
  return new ApiError('unauthorized', 'Invalid email or password');
}

/** 401 for a signed-in user who gives a wrong password. */
export function wrongPassword(): ApiError {
  return new ApiError('unauthorized', 'Current password is incorrect');
}

/** 401 for a Google ID token that does not prove an address, without saying why. */
export function googleTokenInvalid(cause?: unknown): ApiError {
  return new ApiError('unauthorized', 'Invalid or expired Google token', { cause });
}

/** 401 if the network no longer accepts the account's token. */
export function platformTokenInvalid(cause?: unknown): ApiError {
  return new ApiError('unauthorized', 'Invalid or expired access token', {
    fields: { code: 'PLATFORM_TOKEN_INVALID' },
    cause,
  });
}

export function forbidden(message: string): ApiError {
  return new ApiError('forbidden', message);
}

/** 404. Identical for missing resources and other tenants' resources. */
export function notFound(resource: string): ApiError {
  return new ApiError('notFound', `${resource} not found or you don't have access`);
}

/** Returns the value. @throws 404 if it is undefined. */
export function requireFound<Value>(value: Value | undefined, resource: string): Value {
  if (value === undefined) {
    throw notFound(resource);
  }

  return value;
}

export function conflict(message: string, extras?: ErrorExtras): ApiError {
  return new ApiError('conflict', message, extras);
}

/** 402 if a card was declined. Nothing was changed. */
export function paymentRequired(message: string, cause?: unknown): ApiError {
  return new ApiError('paymentRequired', message, { cause });
}

const upstreamMessages = {
  payment: 'Payment service temporarily unavailable',
  ai: 'AI service temporarily unavailable',
  social: 'Social platform temporarily unavailable',
  google: 'Google sign-in temporarily unavailable',
} as const;

/** 502 if a vendor is unavailable, slow, or returns an invalid response. */
export function upstream(vendor: keyof typeof upstreamMessages, cause: unknown): ApiError {
  return new ApiError('upstream', upstreamMessages[vendor], { cause });
}

/** 503 if DynamoDB throttles or is unreachable. A retry may succeed. */
export function overloaded(cause: unknown): ApiError {
  return new ApiError('overloaded', 'The service is busy. Try again', {
    cause,
    headers: { 'retry-after': '1' },
  });
}

/** 404 of all billing endpoints until the organization has a customer at the payment provider. */
export function billingNotSetUp(): ApiError {
  return new ApiError('notFound', 'Billing setup must be completed first', {
    fields: { suggestion: 'Call POST /billing/setup to set up billing for this organization' },
  });
}
