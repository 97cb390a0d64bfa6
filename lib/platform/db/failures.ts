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
