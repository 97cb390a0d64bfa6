import { config } from '#lib/platform/config.ts';

/**
 * The timeout for calls during which Meta fetches or publishes media. Twice the usual timeout: with
 * more, a request that publishes immediately could not finish in time.
 */
export function mediaTimeoutMs(): number {
  return 2 * config.networkTimeoutMs;
}
