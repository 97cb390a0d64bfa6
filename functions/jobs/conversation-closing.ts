import type { Context } from 'aws-lambda';
import { closeSilentConversations } from '#lib/features/conversations/close-silent-conversations.ts';
import { job } from '#lib/platform/work/job.ts';

/** Every hour. */
export const handler = job(
  'conversationClosing',
  async (_event: unknown, context: Context): Promise<{ readonly closed: number }> => ({
    closed: await closeSilentConversations(() => context.getRemainingTimeInMillis()),
  }),
);
