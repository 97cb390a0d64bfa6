import { Logger } from '@aws-lambda-powertools/logger';

/**
 * One line of JSON each. What is logged is named field by field: bodies, headers, tokens, addresses
 * and passwords are never handed to it.
 */
export const logger = new Logger({ serviceName: 'social-leads' });

/** What may be told of an unexpected failure: its kind, message, stack and causes. */
export function describeFailure(failure: unknown): Record<string, unknown> {
  if (!(failure instanceof Error)) {
    return { name: 'NonError', message: String(failure) };
  }

  return {
    name: failure.name,
    message: failure.message,
    stack: failure.stack,
    ...(failure.cause === undefined ? {} : { cause: describeFailure(failure.cause) }),
  };
}
