import { startPublishing } from '#lib/features/content/publishing/start-publishing.ts';
import { job } from '#lib/platform/work/job.ts';

/** Every minute. */
export const handler = job(
  'startPublishing',
  async (): Promise<{ readonly accounts: number }> => ({ accounts: await startPublishing() }),
);
