import { ApiError } from '#lib/platform/errors/api-error.ts';
import {
  badRequest,
  forbidden,
  notAllowed,
  platformTokenInvalid,
  upstream,
} from '#lib/platform/errors/failures.ts';
import type { Platform } from '#schemas/platforms.ts';

/**
 * What a network's answer means to this service, whatever its own codes are:
 * - `tokenInvalid`: the token is dead; only a new authorization helps.
 * - `scopeMissing`: the token lives and may not do this.
 * - `refused`: the network will never take this (content, state, plan); trying again is useless.
 * - `notFound`: what the call is about does not exist there (any more).
 * - `rateLimited`: later, after `retryAfterMs`.
 * - `unavailable`: outage, and nothing was done: refused connection, 503, any 5xx to a GET.
 * - `outcomeUnknown`: no answer, or another 5xx, to a call that may have done its work.
 */
export type NetworkFailureKind =
  | 'tokenInvalid'
  | 'scopeMissing'
  | 'refused'
  | 'notFound'
  | 'rateLimited'
  | 'unavailable'
  | 'outcomeUnknown';

type Details = {
  readonly message: string;
  /** The network's own code, for logs and `failureReason`. */
  readonly code?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
};

/** A call to a network that did not do what it was to do. Every adapter throws this and no other. */
export class NetworkError extends Error {
  readonly platform: Platform;
  readonly kind: NetworkFailureKind;
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(platform: Platform, kind: NetworkFailureKind, details: Details) {
    super(details.message, { cause: details.cause });
    this.name = 'NetworkError';
    this.platform = platform;
    this.kind = kind;
    this.code = details.code;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Whether it is certain that the network did nothing, so that the same call may be sent again. */
  get provesNothingDone(): boolean {
    return this.kind !== 'outcomeUnknown';
  }

  /** Whether the same call may pass later without anybody doing something about it. */
  get isTransient(): boolean {
    return this.kind === 'rateLimited' || this.kind === 'unavailable';
  }
}

/** What kept a post from being published is a medium of it, or the server that has it. */
export class MediaError extends NetworkError {}

/** What the caller of an endpoint is told: 401, 403, 400 or 502. */
export function asApiError(failure: NetworkError): ApiError {
  if (failure instanceof MediaError) {
    return asMediumError(failure);
  }
  switch (failure.kind) {
    case 'tokenInvalid':
      return platformTokenInvalid(failure);
    case 'scopeMissing':
      return forbidden('Insufficient permissions for this operation');
    case 'refused':
    case 'notFound':
      return notAllowed(`${failure.platform} rejected the request: ${failure.message}`, {
        cause: failure,
      });
    default:
      return upstream('social', failure);
  }
}

/** A server that is down is the organization's own, and no network's. */
function asMediumError(failure: MediaError): ApiError {
  const { platform, message } = failure;

  return failure.isTransient
    ? new ApiError('upstream', message, { cause: failure })
    : badRequest(`mediaUrls cannot be published on ${platform}: ${message}`);
}

/** Runs a call to a network for an endpoint, with its failures as answers. */
export async function asAnswer<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (failure) {
    throw failure instanceof NetworkError ? asApiError(failure) : failure;
  }
}
