import { ApiError, type ErrorExtras } from './api-error.ts';

/** 400: one string for each field that is not as it must be. */
export function badRequest(...messages: readonly string[]): ApiError {
  return new ApiError('badRequest', messages);
}

/** 400 for a rule that is not about the form of a field: the message stands alone. */
export function notAllowed(message: string, extras?: ErrorExtras): ApiError {
  return new ApiError('badRequest', message, extras);
}

/** 401 for a caller without a valid session. */
export function sessionInvalid(message = 'Invalid or expired access token'): ApiError {
  return new ApiError('unauthorized', message, { fields: { code: 'SESSION_INVALID' } });
}

/** 401 for a wrong address or password. Which of the two is not told. */
export function wrongCredentials(): ApiError {
  return new ApiError('unauthorized', 'Invalid email or password');
}

/** 401: the network does not take the account's token any more. */
export function platformTokenInvalid(cause?: unknown): ApiError {
  return new ApiError('unauthorized', 'Invalid or expired access token', {
    fields: { code: 'PLATFORM_TOKEN_INVALID' },
    cause,
  });
}

export function forbidden(message: string): ApiError {
  return new ApiError('forbidden', message);
}

/** 404, the same for what does not exist and for what belongs to somebody else. */
export function notFound(resource: string): ApiError {
  return new ApiError('notFound', `${resource} not found or you don't have access`);
}

export function conflict(message: string, extras?: ErrorExtras): ApiError {
  return new ApiError('conflict', message, extras);
}

/** 402: the payment provider refused a card. Nothing was changed. */
export function paymentRequired(message: string, cause?: unknown): ApiError {
  return new ApiError('paymentRequired', message, { cause });
}

const upstreamMessages = {
  payment: 'Payment service temporarily unavailable',
  ai: 'AI service temporarily unavailable',
  social: 'Social platform temporarily unavailable',
} as const;

/** 502: a vendor is down, slow, or answers nonsense. */
export function upstream(vendor: keyof typeof upstreamMessages, cause: unknown): ApiError {
  return new ApiError('upstream', upstreamMessages[vendor], { cause });
}

/** 503: the table does not keep up, or cannot be reached. The same call may pass a moment later. */
export function overloaded(cause: unknown): ApiError {
  return new ApiError('overloaded', 'The service is busy. Try again', {
    cause,
    headers: { 'retry-after': '1' },
  });
}

/** 404 of every billing endpoint while the organization has no customer at the payment provider. */
export function billingNotSetUp(): ApiError {
  return new ApiError('notFound', 'Billing setup must be completed first', {
    fields: { suggestion: 'Call POST /billing/setup to set up billing for this organization' },
  });
}
