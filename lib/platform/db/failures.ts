import type { Key } from './keys/key.ts';

export type StoredItem = Key & Record<string, unknown>;

/** Thrown when a condition fails and the write defines no other error. */
export class ConditionNotMetError extends Error {
  readonly stored: StoredItem | undefined;

  constructor(key: Key, stored: StoredItem | undefined) {
    super(`The condition of a write to ${key.sk.split('#')[0]} did not hold`);
    this.name = 'ConditionNotMetError';
    this.stored = stored;
  }
}

const unavailable = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'Throttling',
  'ItemCollectionSizeLimitExceededException',
  'InternalServerError',
  'InternalServerErrorException',
  'ServiceUnavailable',
  'TimeoutError',
]);

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT']);

/** True if DynamoDB throttles, fails or is unreachable. The same call may succeed on retry. */
export function isTableUnavailable(failure: unknown): boolean {
  if (!(failure instanceof Error)) {
    return false;
  }
  const { code } = failure as NodeJS.ErrnoException;

  return unavailable.has(failure.name) || (code !== undefined && unreachable.has(code));
}
