import { timestamp } from '#lib/platform/clock.ts';
import { isTableUnavailable } from '#lib/platform/db/failures.ts';
import { ApiError, errorBody } from '#lib/platform/errors/api-error.ts';
import { overloaded } from '#lib/platform/errors/failures.ts';
import { jsonContentType } from '#lib/platform/http/answer.ts';
import type { HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { Contract } from '#schemas/contract.ts';
import { errorKinds } from '#schemas/errors.ts';
import { bodyError } from './body-error.ts';

const databaseDown = { database: { status: 'outage', error: 'Unreachable' } };

/** Returns the error for the caller: our own errors as they are, anything else as a generic 500. */
export function publicFailure(failure: unknown): ApiError {
  if (failure instanceof ApiError) {
    return failure;
  }
  if (isTableUnavailable(failure)) {
    return overloaded(failure);
  }

  return (
    bodyError(failure) ?? new ApiError('internal', 'Internal server error', { cause: failure })
  );
}

/**
 * Converts every failure for the stock error handler, with our error body as its message. Server
 * errors are logged with the request's id.
 */
export function errorEnvelope({ failures }: Pick<Contract, 'failures'> = {}): Middleware {
  const bodyOf = failures === 'health' ? healthFailureBody : errorBody;

  return {
    onError: (request: HttpRequest): void => {
      const failure = publicFailure(request.error);
      if (failure.statusCode >= 500) {
        logger.error('request failed', {
          requestId: request.event.state.requestId,
          statusCode: failure.statusCode,
          failure: describeFailure(failure.cause ?? failure),
        });
      }
      request.error = {
        statusCode: failure.statusCode,
        expose: true,
        message: JSON.stringify(bodyOf(failure)),
        headers: { 'Content-Type': jsonContentType, ...failure.headers },
      };
    },
  };
}

/** The error body of health endpoints, where 500 and 503 have their own format. */
function healthFailureBody(failure: ApiError) {
  if (failure.kind === 'overloaded') {
    return {
      status: 'unhealthy',
      timestamp: timestamp(),
      message: failure.publicMessage,
      services: databaseDown,
      ...failure.fields,
    };
  }
  if (failure.kind === 'internal') {
    return {
      status: 'error',
      timestamp: timestamp(),
      message: failure.publicMessage,
      error: errorKinds.internal.error,
    };
  }

  return errorBody(failure);
}
