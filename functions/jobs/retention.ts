import type { Context } from 'aws-lambda';
import { startRetention } from '#lib/features/organizations/retention-schedule.ts';
import { job } from '#lib/platform/work/job.ts';

/** Runs every hour. Each organization is due once a day. */
export const handler = job(
  'retention',
  async (_event: unknown, context: Context): Promise<{ readonly organizations: number }> => ({
    organizations: await startRetention(() => context.getRemainingTimeInMillis()),
  }),
);
