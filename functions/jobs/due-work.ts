import { job } from '#lib/platform/work/job.ts';
import { sweepDueWork } from '#lib/platform/work/sweep-due-work.ts';

/** Every minute. */
export const handler = job(
  'dueWork',
  async (): Promise<{ readonly sent: number }> => ({ sent: await sweepDueWork() }),
);
