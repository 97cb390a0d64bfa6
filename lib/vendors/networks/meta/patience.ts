import { config } from '#lib/platform/config.ts';

/**
 * How long a call may take in which Meta fetches or publishes media before it answers: twice as long
 * as others. Longer, and the request in which a post is published at once could not end in time.
 */
export function patienceMs(): number {
  return 2 * config.networkTimeoutMs;
}
