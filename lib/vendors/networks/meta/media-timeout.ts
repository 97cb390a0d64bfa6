import { config } from '#lib/platform/config.ts';

/**
 * The timeout of calls during which Meta fetches or publishes media. It is twice the usual timeout.
 * With a longer one, a request that publishes immediately could time out.
 */
export function mediaTimeoutMs(): number {
  return 2 * config.networkTimeoutMs;
}
