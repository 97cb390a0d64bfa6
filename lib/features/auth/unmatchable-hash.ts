import { config } from '#lib/platform/config.ts';

/**
 * Returns a bcrypt hash that no password matches, at the current cost, so that comparing takes the
 * same time.
 */
export function unmatchableHash(): string {
  const cost = String(config.bcryptCost).padStart(2, '0');

  return `$2b$${cost}$${'.'.repeat(53)}`;
}
