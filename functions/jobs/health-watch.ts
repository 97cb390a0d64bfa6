import { watchServices } from '#lib/features/health/services/watch-services.ts';

/** Every minute. */
export async function handler(): Promise<{ readonly down: readonly string[] }> {
  return { down: await watchServices() };
}
