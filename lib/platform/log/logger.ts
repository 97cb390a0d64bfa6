import { Logger } from '@aws-lambda-powertools/logger';

/**
 * Logs one JSON line per call. Log fields explicitly: bodies, headers, tokens, addresses and
 * passwords must never be logged.
 */
export const logger = new Logger({ serviceName: 'social-leads' });

/** Writes metrics at any `LOG_LEVEL`: alarms treat a missing heartbeat as a failure. */
export const metricsLogger = new Logger({ serviceName: 'social-leads', logLevel: 'INFO' });

/** Does not match package scopes in paths (`node_modules/@scope/`). */
const emailAddress = /(?<![^\s@/<>"'(])[^\s@/<>"'(]+@[^\s@/<>"')]+\.[^\s@/<>"'),;:]+/g;

/**
 * Returns the loggable details of an unexpected failure: name, message, stack and causes. E-mail
 * addresses are removed, because vendors include them in messages.
 */
export function describeFailure(failure: unknown): Record<string, unknown> {
  if (!(failure instanceof Error)) {
    return { name: 'NonError', message: withoutAddresses(String(failure)) };
  }

  return {
    name: failure.name,
    message: withoutAddresses(failure.message),
    stack: withoutAddresses(failure.stack ?? ''),
    ...(failure.cause === undefined ? {} : { cause: describeFailure(failure.cause) }),
  };
}

function withoutAddresses(text: string): string {
  return text.replaceAll(emailAddress, '[address]');
}
