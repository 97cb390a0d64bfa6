import { timestamp } from '#lib/platform/clock.ts';
import { type ApiError, errorBody } from '#lib/platform/errors/api-error.ts';
import { errorKinds } from '#schemas/errors.ts';

const databaseDown = { database: { status: 'outage', error: 'Unreachable' } };

/** The error body of health endpoints, where 500 and 503 have their own format. */
export function healthFailureBody(failure: ApiError) {
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
