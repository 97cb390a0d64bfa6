import type { Context } from 'aws-lambda';
import { sendUnansweredDigests } from '#lib/features/conversations/unanswered-digest.ts';
import { job } from '#lib/platform/work/job.ts';

/** Every minute. */
export const handler = job(
  'unansweredDigest',
  async (_event: unknown, context: Context): Promise<{ readonly sent: number }> => ({
    sent: await sendUnansweredDigests(() => context.getRemainingTimeInMillis()),
  }),
);
