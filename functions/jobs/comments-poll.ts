import type { Context } from 'aws-lambda';
import { type PollReport, pollComments } from '#lib/features/intake/poll-comments.ts';
import { job } from '#lib/platform/work/job.ts';

/** Every five minutes. */
export const handler = job(
  'commentsPoll',
  (_event: unknown, context: Context): Promise<PollReport> =>
    pollComments(() => context.getRemainingTimeInMillis()),
);
