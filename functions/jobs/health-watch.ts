import { watchServices } from '#lib/features/health/services/watch-services.ts';
import { job } from '#lib/platform/work/job.ts';

/** Every minute. */
export const handler = job(
  'healthWatch',
  async (): Promise<{ readonly down: readonly string[] }> => ({ down: await watchServices() }),
);
