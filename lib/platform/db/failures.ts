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

/** Whether the table throttles, fails or cannot be reached: the same call may pass a moment later. */
export function isTableUnavailable(failure: unknown): boolean {
  if (!(failure instanceof Error)) {
    return false;
  }
  const { code } = failure as NodeJS.ErrnoException;

  return unavailable.has(failure.name) || (code !== undefined && unreachable.has(code));
}
