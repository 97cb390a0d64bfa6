import type { Context } from 'aws-lambda';
import { type PollReport, pollComments } from '#lib/features/social/intake/poll-comments.ts';

/** Every five minutes. */
export function handler(_event: unknown, context: Context): Promise<PollReport> {
  return pollComments(() => context.getRemainingTimeInMillis());
}
