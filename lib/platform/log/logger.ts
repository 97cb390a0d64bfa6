import { Logger } from '@aws-lambda-powertools/logger';

/**
 * One line of JSON each. What is logged is named field by field: bodies, headers, tokens, addresses
 * and passwords are never handed to it.
 */
export const logger = new Logger({ serviceName: 'social-leads' });

/** A scope of a package in a path (`node_modules/@scope/`) is none. */
const emailAddress = /(?<![^\s@/<>"'(])[^\s@/<>"'(]+@[^\s@/<>"')]+\.[^\s@/<>"'),;:]+/g;

/**
 * What may be told of an unexpected failure: its kind, message, stack and causes. Vendors name the
 * addresses of people in their messages: these are left out.
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
