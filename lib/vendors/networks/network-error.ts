import {
  type ApiError,
  apiError,
  badRequest,
  platformTokenInvalid,
  upstream,
} from '#lib/platform/errors/failures.ts';
import { insufficientPermissions } from '#schemas/contract.ts';
import type { Platform } from '#schemas/platforms.ts';

/**
 * What a failure means to this service, independent of the network's own codes:
 * - `tokenInvalid`: the token is invalid. The account must be authorized again.
 * - `scopeMissing`: the token is valid but lacks a permission.
 * - `refused`: the network will never accept this (content, state, plan). Retries are useless.
 * - `notFound`: the object does not exist, or no longer exists.
 * - `rateLimited`: retry after `retryAfterMs`.
 * - `unavailable`: an outage without effect: connection refused, 503, any 5xx to a GET.
 * - `outcomeUnknown`: no response, or another 5xx, to a call that may have taken effect.
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

/** A failed call to a network. Adapters throw no other error. */
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

  /** True if the call certainly had no effect, so repeating it is safe. */
  get isSafeToRetry(): boolean {
    return this.kind !== 'outcomeUnknown';
  }

  /** True if the same call may succeed later without intervention. */
  get isTransient(): boolean {
    return this.kind === 'rateLimited' || this.kind === 'unavailable';
  }
}

/** A post failed because of a media file, or because of the server that hosts it. */
export class MediaError extends NetworkError {}

/** Converts a failure to the API error for the caller: 401, 403, 400 or 502. */
export function asApiError(failure: NetworkError): ApiError {
  if (failure instanceof MediaError) {
    return asMediumError(failure);
  }
  switch (failure.kind) {
    case 'tokenInvalid':
      return platformTokenInvalid(failure);
    case 'scopeMissing':
      return apiError('PLATFORM_PERMISSION_MISSING', insufficientPermissions, { cause: failure });
    case 'refused':
    case 'notFound':
      return apiError(
        'PLATFORM_REJECTED',
        `${failure.platform} rejected the request: ${failure.message}`,
        {
          cause: failure,
        },
      );
    default:
      return upstream('social', failure);
  }
}

/**
 * The organization hosts the media, so an outage of its server is not reported as an outage of the
 * network.
 */
function asMediumError(failure: MediaError): ApiError {
  const { platform, message } = failure;

  return failure.isTransient
    ? apiError('SOCIAL_PLATFORM_UNAVAILABLE', message, { cause: failure })
    : badRequest(
        message.startsWith('mediaUrls')
          ? message
          : `mediaUrls cannot be published on ${platform}: ${message}`,
      );
}

/** Awaits a call to a network for an endpoint, and converts its failures to API errors. */
export async function asAnswer<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (failure) {
    throw failure instanceof NetworkError ? asApiError(failure) : failure;
  }
}

/** Awaits a call to a network. Returns `undefined` if its object does not exist. */
export async function ifFound<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (failure) {
    if (failure instanceof NetworkError && failure.kind === 'notFound') {
      return undefined;
    }
    throw failure;
  }
}
