import { timestamp } from '#lib/platform/clock.ts';
import { ConditionNotMetError, isTableUnavailable } from '#lib/platform/db/failures.ts';
import { ApiError, apiError, overloaded } from '#lib/platform/errors/failures.ts';
import { jsonContentType } from '#lib/platform/http/answer.ts';
import { bodyError } from '#lib/platform/http/raw-body.ts';
import {
  type HttpEvent,
  type HttpRequest,
  type Middleware,
  warningsOf,
} from '#lib/platform/http/request.ts';
import { issueOf } from '#lib/platform/http/validation.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { Contract } from '#schemas/contract.ts';
import { errorKinds, type Issue } from '#schemas/errors.ts';

type Fields = Pick<Contract, 'params' | 'query' | 'body'>;

const databaseDown = { database: { status: 'outage', error: 'Unreachable' } };

/** Returns the error for the caller: our own errors unchanged, all others as a generic 500. */
export function publicFailure(failure: unknown): ApiError {
  if (failure instanceof ApiError) {
    return failure;
  }
  if (isTableUnavailable(failure) || failure instanceof ConditionNotMetError) {
    return overloaded(failure);
  }

  return (
    bodyError(failure) ?? apiError('INTERNAL_ERROR', 'Internal server error', { cause: failure })
  );
}

/**
 * Converts every failure for middy's error handler, with our error body as its message. Server
 * errors are logged with the request's id.
 */
export function errorEnvelope(contract?: Contract): Middleware {
  return {
    onError: (request: HttpRequest): void => {
      const failure = publicFailure(request.error);
      const { requestId } = request.event.state;
      if (failure.statusCode >= 500) {
        logger.error('request failed', {
          requestId,
          statusCode: failure.statusCode,
          failure: describeFailure(failure.cause ?? failure),
        });
      }
      request.error = {
        statusCode: failure.statusCode,
        expose: true,
        message: JSON.stringify(
          (contract?.failures === 'health' && healthFailureBody(failure)) || {
            ...errorBody(failure, contract, request.event),
            requestId,
          },
        ),
        headers: { 'Content-Type': jsonContentType, ...failure.headers },
      };
    },
  };
}

/** The body of 500 and 503 from health endpoints. `undefined` for other errors. */
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

  return undefined;
}

/** The common error body, without the request id. The contract defines where its fields are. */
export function errorBody(failure: ApiError, contract: Fields = {}, event?: HttpEvent) {
  return {
    success: false,
    statusCode: failure.statusCode,
    code: failure.code,
    message: failure.publicMessage,
    error: errorKinds[failure.kind].error,
    ...(failure.code === 'VALIDATION_FAILED' && { issues: issuesOf(failure, contract) }),
    ...failure.fields,
    ...(event && warningsOf(event)),
  };
}

function issuesOf({ issues, publicMessage }: ApiError, contract: Fields): readonly Issue[] {
  return issues ?? [publicMessage].flat().map((message) => issueOf(message, contract));
}
